"""Names that are longer than any that people or file systems use: texts show how they begin and end."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["LONGEST_NAME", "LONGEST_PATH", "shortened"]

LONGEST_NAME: Final = 1000
LONGEST_PATH: Final = 4096
"""PATH_MAX of Linux: a longer one is the name that somebody gave to generated code."""
LONGEST_TEXT: Final = 16_384
"""More than any report has to say: a name with blanks in it has no end that can be seen."""
SHOWN: Final = 100
"""Characters of each end."""


def shortened(text: str, most: int = LONGEST_NAME) -> str:
    """*text* without the middle of each word of more than *most* characters, or of all when it is long beyond reason.

    >>> shortened("x" * 10, most=1000), len(shortened("frees " + "x" * 100_000 + " twice"))
    ('xxxxxxxxxx', 215)
    """
    if len(text) <= most:
        return text
    text = re.sub(rf"\S{{{most + 1},}}", lambda found: f"{found[0][:SHOWN]}...{found[0][-SHOWN:]}", text)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_NAME]}...{text[-SHOWN:]}"
