"""The timeline as a picture, drawn by matplotlib (``pip install 'ascend-sim[plot]'``): for notes and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.timeline.costs import amount, duration
from ascend_sim.timeline.lanes import MOST_LANES, busiest
from ascend_sim.timeline.styles import SEVERITIES, STYLES
from ascend_sim.timeline.trace import Counter, Trace, Track

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["figure"]

MOST_ARROWS = 200
MOST_LABELS = 400
LONGEST = 28
"""Letters of a lane's name."""
_LANE = 0.34  # inches


def figure(trace: Trace, width: float = 12.0) -> Figure:
    """A Figure, *width* inches wide and as high as it has lanes. Raises ImportError without matplotlib."""
    from matplotlib.figure import Figure  # not pyplot: nothing global is touched, and no screen is needed

    lanes: list[Track | Counter] = []
    for group in sorted({track.group for track in trace.tracks} | {counter.group for counter in trace.counters}):
        mine = [track for track in trace.tracks if track.group == group]
        shown = busiest(mine, MOST_LANES)
        lanes += [track for track in mine if track in shown]
        lanes += [counter for counter in trace.counters if counter.group == group]
    made = Figure(figsize=(width, 1.4 + _LANE * max(len(lanes), 1)), layout="constrained")
    axes = made.add_subplot()
    window = trace.busiest()
    unit, name = _unit(window[1])
    places: dict[int, int] = {}
    labels = []
    several = trace.devices > 1
    for row, lane in enumerate(lanes):
        if isinstance(lane, Counter):
            _memory(axes, lane, row, unit, trace)
            labels.append(f"{lane.name}, most {amount(max(used for _, used, _, _ in lane.points))}")
        else:
            places[id(lane)] = row
            _track(axes, lane, row, unit, window, (window[1] - window[0]) / width / 72)
            device = f"device {lane.group}: " if several and lane.group >= 0 else ""
            name_of = lane.name.strip("`")
            labels.append(device + (name_of if len(name_of) <= LONGEST else f"{name_of[: LONGEST - 1]}\u2026"))
    _arrows(axes, trace, places, unit, window)
    for mark in trace.marks:
        sign, colour = SEVERITIES[mark.finding.severity]
        axes.axvline(mark.time / unit, color=colour, linewidth=0.8, linestyle=(0, (4, 3)), alpha=0.6, zorder=1)
        height = places.get(id(trace.tracks[mark.track]), 0)
        axes.plot([mark.time / unit], [height], sign, color=colour, markersize=8, markeredgecolor="white", zorder=6)
    axes.set_yticks(range(len(lanes)), labels, fontsize=8)
    axes.set_ylim(len(lanes) - 0.4, -0.6)
    margin = (window[1] - window[0]) / unit * 0.01
    axes.set_xlim(window[0] / unit - margin, window[1] / unit + margin)
    axes.set_xlabel(f"virtual time ({name})", fontsize=9)
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="x", color="#e9edf0", zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    part = "" if window == (trace.start, trace.end) else f", the busiest {duration(window[1] - window[0])}"
    missing = f"\n{trace.left_out}" if trace.left_out else ""
    axes.set_title(f"{trace.profile}: {trace.count()}, {duration(trace.last)}{part}{missing}", fontsize=10, loc="left")
    _legend(axes, trace)
    return made


def _unit(longest: int) -> tuple[int, str]:
    for size, name in ((10**9, "s"), (10**6, "ms"), (10**3, "us")):
        if longest >= size:
            return size, name
    return 1, "ns"


def _track(axes: Axes, track: Track, row: int, unit: int, window: tuple[int, int], letter: float) -> None:
    rows = max([s.depth + s.rows for s in track.slices], default=1) if track.kind != "cores" else track.rows
    height = 0.84 / rows
    by_look: dict[tuple[str, int, int], list[tuple[float, float]]] = {}
    labelled = 0
    for s in track.slices:
        if s.end < window[0] or s.start > window[1]:
            continue
        by_look.setdefault((s.category, s.depth, s.rows), []).append((s.start / unit, max(s.end - s.start, 1) / unit))
        name = s.name.replace("`", "")
        # 72 letters an inch would be one point each: a letter of 6 points is about 4 wide.
        if height * s.rows > 0.3 and s.end - s.start > len(name) * letter * 4.4 and labelled < MOST_LABELS:
            labelled += 1
            colour = "white" if s.category == "mark" else "#1a2027"
            middle = row - 0.42 + (s.depth + s.rows / 2) * height
            axes.text((s.start + s.end) / 2 / unit, middle, name, fontsize=6, color=colour, ha="center", va="center",
                      clip_on=True, zorder=5)  # fmt: skip
    for (category, depth, many), spans in by_look.items():
        low = row - 0.42 + depth * height
        extra: dict[str, Any] = {"edgecolor": "white"}
        if STYLES[category].hatched:
            extra = {"hatch": "////", "edgecolor": "#b6c0ca"}
        colour = STYLES[category].colour
        axes.broken_barh(spans, (low, height * many * 0.94), facecolor=colour, linewidth=0.3, zorder=3, **extra)


def _memory(axes: Axes, counter: Counter, row: int, unit: int, trace: Trace) -> None:
    most = max([1, *(used for _, used, _, _ in counter.points)])
    times = [time / unit for time, _, _, _ in counter.points] + [trace.end / unit]
    levels = [row + 0.42 - 0.84 * used / most for _, used, _, _ in counter.points]
    levels.append(levels[-1])
    axes.fill_between(
        times, levels, row + 0.42, step="post", color="#bfe0f4", edgecolor="#0072b2", linewidth=0.7, zorder=2
    )


def _arrows(axes: Axes, trace: Trace, places: dict[int, int], unit: int, window: tuple[int, int]) -> None:
    edges = [
        edge for edge in trace.edges
        if edge.kind not in ("submit", "sync") and window[0] <= edge.start and edge.end <= window[1]
    ]  # fmt: skip
    if len(edges) > MOST_ARROWS:
        return
    for edge in edges:
        low, high = places.get(id(trace.tracks[edge.source])), places.get(id(trace.tracks[edge.to]))
        if low is None or high is None:
            continue
        style = {"arrowstyle": "-|>", "color": "#0072b2", "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (edge.end / unit, high), (edge.start / unit, low), arrowprops=style, zorder=4)


def _legend(axes: Axes, trace: Trace) -> None:
    from matplotlib.patches import Patch

    used = {s.category for track in trace.tracks for s in track.slices}
    handles = [
        Patch(facecolor=look.colour, hatch="////" if look.hatched else None, edgecolor="#9aa5b1", linewidth=0.3,
              label=look.meaning)
        for category, look in STYLES.items() if category in used
    ]  # fmt: skip
    if handles:
        axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(handles), fontsize=7,
                    frameon=False, handlelength=1.6, columnspacing=1.2, borderaxespad=0.2)  # fmt: skip
