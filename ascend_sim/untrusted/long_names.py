"""Names that are longer than any that people or file systems use: texts show how they begin and end."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["LONGEST_NAME", "LONGEST_PATH", "shortened"]

LONGEST_NAME: Final = 1000
LONGEST_PATH: Final = 4096
"""PATH_MAX of Linux: a longer one is the name that somebody gave to generated code."""
SHOWN: Final = 100
"""Characters of each end."""


def shortened(text: str, most: int = LONGEST_NAME) -> str:
    """*text* without the middle of each word of more than *most* characters.

    >>> shortened("x" * 10, most=1000), len(shortened("frees " + "x" * 100_000 + " twice"))
    ('xxxxxxxxxx', 215)
    """
    if len(text) <= most:
        return text
    return re.sub(rf"\S{{{most + 1},}}", lambda found: f"{found[0][:SHOWN]}...{found[0][-SHOWN:]}", text)
