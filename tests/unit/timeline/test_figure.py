"""The picture for notes and notebooks, with matplotlib (an optional package)."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from ascend_sim.timeline import Timeline

drawing = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed")


@drawing
def test_the_picture_has_a_lane_for_everything(recorded: Timeline) -> None:
    made = recorded.figure()
    (axes,) = made.axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == [
        "T0 (main)", "pinned memory, most 12 MiB", "copies", "work", "copy engine H2D", "vector cores",
        "memory, most 28 MiB",
    ]  # fmt: skip
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("copy H2D 2 MiB") >= 6 and "scale <8>" in texts
    left, right = axes.get_xlim()
    assert left <= 0 and right * 1000 >= recorded.trace().end


@drawing
def test_it_is_written_as_png_and_svg(recorded: Timeline, tmp_path: Path) -> None:
    recorded.save(tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    recorded.save(tmp_path / "run.svg")
    assert "<svg" in (tmp_path / "run.svg").read_text(encoding="utf-8")
    png = recorded._repr_png_()
    assert png is not None and png.startswith(b"\x89PNG")


def test_without_matplotlib_everybody_says_so(
    recorded: Timeline, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert recorded._repr_png_() is None
    with pytest.raises(ValueError, match=r"pip install 'ascend-sim\[plot\]'"):
        recorded.save(tmp_path / "run.png")
