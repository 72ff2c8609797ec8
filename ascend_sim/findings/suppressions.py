"""Findings that the program's authors know of and do not want to hear about.

A comment ``# ascend-sim: ignore[race]`` on the line of any site of a finding suppresses it (without brackets: every
kind). A pattern ``kind:file glob:function glob`` is matched against every site; its last parts may be missing. What a
baseline file has is suppressed, too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from ascend_sim.findings.finding import Site, fingerprint_of
from ascend_sim.findings.kinds import KINDS
from ascend_sim.source.callsite import relative_path, source_line
from ascend_sim.source.fence import fenced

__all__ = ["BASELINE", "COMMENT", "EXTERNAL", "Suppressions"]

COMMENT = r"#\s*ascend-sim:\s*ignore(?:\[([\w\s,-]*)\])?"
IN_SOURCE, EXTERNAL, BASELINE = "inSource", "external", "baseline"


class _Pattern:
    def __init__(self, text: str) -> None:
        self.text = text
        kind, _, rest = text.partition(":")
        file, _, function = rest.partition(":")
        self.kind, self.file, self.function = kind.strip() or "*", file.strip() or "*", function.strip() or "*"
        self.used = False

    def fits(self, kind: str, file: str, function: str) -> bool:
        if not fnmatchcase(kind, self.kind):
            return False
        names = (file, os.path.basename(file), relative_path(file))
        functions = (function, function.rsplit(".", 1)[-1])
        return any(fnmatchcase(name, self.file) for name in names) and any(
            fnmatchcase(name, self.function) for name in functions
        )


class Suppressions:
    """The patterns of a run, and the fingerprints of its baseline.

    >>> Suppressions(["race:train.py:step"]).unused()
    ['race:train.py:step']
    """

    def __init__(self, patterns: Iterable[str] = (), baseline: frozenset[str] = frozenset()) -> None:
        self._patterns = [_Pattern(text) for text in patterns if text.strip()]
        self._baseline = baseline

    @fenced(lambda self, kind, sites: None)
    def why(self, kind: str, sites: Sequence[Site]) -> str | None:
        """``inSource``, ``external`` or ``baseline`` when a finding is suppressed; None otherwise."""
        for site in sites:
            inner, outer = site.with_wrappers[:1], site.frames[:1]
            for frame in inner if not outer or outer[0] is inner[0] else (outer[0], *inner):
                line = source_line(frame.file, frame.line)
                comment = re.search(COMMENT, line) if "#" in line else None
                if comment is not None:
                    kinds = comment.group(1)
                    if kinds is None or kind in [word.strip() for word in kinds.split(",")]:
                        return IN_SOURCE
        return self._fitting(kind, sites) or self._known(kind, sites)

    def _known(self, kind: str, sites: Sequence[Site]) -> str | None:
        return BASELINE if self._baseline and fingerprint_of(kind, sites) in self._baseline else None

    def _fitting(self, kind: str, sites: Sequence[Site]) -> str | None:
        if not self._patterns:
            return None
        places = [(frame.file, frame.function) for site in sites for frame in site.with_wrappers]
        for file, function in places or [("", "")]:  # without a place: a pattern that names none
            for pattern in self._patterns:
                if pattern.fits(kind, file, function):
                    pattern.used = True
                    return EXTERNAL
        return None

    @fenced(lambda self: [pattern.text for pattern in self._patterns if not pattern.used])
    def unused(self) -> list[str]:
        """Patterns that no finding met, with a hint where there is no such kind."""
        texts = []
        for pattern in self._patterns:
            if not pattern.used:
                from difflib import get_close_matches

                known = any(fnmatchcase(kind, pattern.kind) for kind in KINDS)
                near = [] if known else get_close_matches(pattern.kind, KINDS, 1)
                hint = f"; did you mean {near[0]}?" if near else "; `ascend-sim explain` lists them"
                texts.append(pattern.text + ("" if known else f": there is no kind {pattern.kind!r}{hint}"))
        return texts
