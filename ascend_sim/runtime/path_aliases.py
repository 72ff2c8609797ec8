"""Which registered source stands for a path that the program names: kernels and models are found in the same way."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable

__all__ = ["fitting"]


def fitting(patterns: Iterable[str], path: str) -> list[str]:
    """The patterns that fit *path* best: as a whole, else by its trailing parts, else by the file name.

    A pattern may be a glob, part by part; one that is equal goes first. More than one in the answer: they fit equally well.

    >>> fitting(["resnet50.om", "*.om"], "/home/me/model/resnet50.om")
    ['resnet50.om']
    """
    known = list(patterns)
    if path in known:
        return [path]
    parts = os.path.normpath(path).replace(os.sep, "/").split("/")
    tails = ["/".join(parts[start:]) for start in range(len(parts))]
    for tail in tails:
        if tail in known:
            return [tail]
    for tail in tails:  # a glob never beats a name
        fits = [pattern for pattern in known if _fits(tail.split("/"), pattern.split("/"))]
        if fits:
            return fits
    return []


def _fits(parts: list[str], pattern: list[str]) -> bool:
    """Whether each part of a path fits its part of the pattern: ``*`` does not reach across folders."""
    return len(parts) == len(pattern) and all(map(fnmatch.fnmatchcase, parts, pattern))
