"""A few shapes of SVG: text is translated and escaped here and nowhere else."""

from __future__ import annotations

from html import escape

from ascend_sim.findings.languages import ENGLISH, WIDE, translated

__all__ = ["Sheet"]

STYLE = """
.paper{fill:#fff}.box{fill:#f5f7f9;stroke:#c4ccd4}.ink{fill:#1a2027}.faint{fill:#57626d}.rule{stroke:#d5dbe1}
.idle{fill:#f5f7f9;stroke:#c4ccd4}.ready{fill:#e3f1fb;stroke:#0072b2}.runs{fill:#dff3ea;stroke:#1d8a68}
.waits{fill:#fdf3dc;stroke:#b37400}.held{fill:#eee9f7;stroke:#7a5bb5}.failed{fill:#fbe3e0;stroke:#b3261e}
.wait,.later{stroke:#b37400;fill:none}.later{opacity:.45}
.tip{fill:#b37400}.set{stroke:#0072b2;fill:none;stroke-dasharray:5 4}.settip{fill:#0072b2}
.gap{fill:none}.freed{fill:url(#freed);stroke:#9aa5b1}.stripe{stroke:#9aa5b1}.track{fill:none;stroke:#c4ccd4}
@media (prefers-color-scheme:dark){
.paper{fill:#11161c}.box,.idle{fill:#191f27;stroke:#3d4853}.ink{fill:#e4eaf0}.faint{fill:#9ba8b5}.rule{stroke:#333d48}
.ready{fill:#12293b;stroke:#56b4e9}.runs{fill:#10291f;stroke:#2fb58d}.waits{fill:#33270c;stroke:#f0a92b}
.held{fill:#251d36;stroke:#b9a3e3}.failed{fill:#3b1513;stroke:#ff8a80}.wait,.later{stroke:#f0a92b}.tip{fill:#f0a92b}
.set{stroke:#6db7ff}.settip{fill:#6db7ff}.freed{stroke:#5d6873}.stripe{stroke:#5d6873}.track{stroke:#3d4853}}
""".replace("\n", "")


class Sheet:
    """Collects shapes; sizes and places are in pixels, *y* grows downwards.

    Texts are English, with names of the program in backticks: they are shown in *language*, and without the backticks.
    """

    def __init__(self, width: int, language: str = ENGLISH) -> None:
        self.width = width
        self.language = language
        self.height = 0
        self._shapes: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        look: str,
        round_: float = 0,
        fill: str = "",
        title: str = "",
    ) -> None:
        """A box; *look* is a class of the style, *fill* a colour instead, *title* what it says when pointed at."""
        colour = f' style="fill:{escape(fill)}"' if fill else ""
        corner = f' rx="{round_:g}"' if round_ else ""
        inside = f"><title>{escape(self.said(title))}</title></rect>" if title else "/>"
        self._shapes.append(
            f'<rect class="{look}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"{corner}{colour}{inside}'
        )
        self.height = max(self.height, int(y + height))

    def said(self, text: str) -> str:
        """*text* in the language of the sheet, without backticks."""
        return translated(text, self.language).replace("`", "")

    def text(
        self, x: float, y: float, text: str, look: str = "ink", size: int = 12, bold: bool = False, room: float = 0
    ) -> None:
        """Text from *x* on; cut to *room* pixels, with the whole of it when pointed at."""
        self.code(x, y, self.said(text), look, size, bold, room)

    def code(
        self, x: float, y: float, text: str, look: str = "ink", size: int = 12, bold: bool = False, room: float = 0
    ) -> None:
        """Text that is the program's own: shown as it is."""
        short = _cut(text, room / (size * 0.56)) if room else text
        title = f"<title>{escape(text)}</title>" if short != text else ""
        weight = ' font-weight="600"' if bold else ""
        self._shapes.append(
            f'<text class="{look}" x="{x:.1f}" y="{y:.1f}" font-size="{size}"{weight}>{escape(short)}{title}</text>'
        )
        self.height = max(self.height, int(y + 4))

    def arrow(
        self, x0: float, y0: float, x1: float, y1: float, look: str, tip: str, bend: float = 0, title: str = ""
    ) -> None:
        """A curve that leaves sideways and arrives sideways; *bend* pixels to the side when both ends are on one side."""
        side = 1 if x1 >= x0 else -1
        reach = bend or max(24.0, abs(x1 - x0) / 2)
        first = x0 + (bend or side * reach)
        second = x1 + (bend or -side * reach)
        towards = -1 if second > x1 else 1
        inside = f"><title>{escape(self.said(title))}</title></path>" if title else "/>"
        self._shapes.append(
            f'<path class="{look}" stroke-width="1.5" d="M{x0:.1f} {y0:.1f}C{first:.1f} {y0:.1f} {second:.1f} {y1:.1f} '
            f'{x1 - towards * 5:.1f} {y1:.1f}"{inside}'
        )
        self._shapes.append(f'<path class="{tip}" d="M{x1:.1f} {y1:.1f}l{-towards * 8:.1f} -4l0 8z"/>')

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """A thin rule."""
        self._shapes.append(f'<line class="rule" x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"/>')

    def finish(self, label: str) -> str:
        """The document; *label* says what it shows to those who do not see it."""
        height = self.height + 14
        stripes = (
            '<defs><pattern id="freed" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            '<line class="stripe" x1="0" y1="0" x2="0" y2="6" stroke-width="2"/></pattern></defs>'
        )
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{height}" '
            f'viewBox="0 0 {self.width} {height}" role="img" aria-label="{escape(self.said(label))}" '
            f'font-family="system-ui, DejaVu Sans, sans-serif"><style>{STYLE}</style>{stripes}'
            f'<rect class="paper" width="{self.width}" height="{height}"/>'
        )
        return head + "".join(self._shapes) + "</svg>"


def _cut(text: str, most: float) -> str:
    """*text*, or so much of it as fits where *most* Latin letters do."""
    widths = [1.0 if letter < WIDE else 1.75 for letter in text]
    if sum(widths) < int(most) + 1:
        return text
    used, end = 0.0, 0
    while end < len(text) and used + widths[end] <= int(most) - 1:
        used += widths[end]
        end += 1
    return f"{text[: max(end, 1)]}\u2026"
