"""PyAV, the door to FFmpeg: imported when the first channel for video is made."""

from __future__ import annotations

from typing import Any

__all__ = ["INSTALL", "MissingLibrary", "video_library"]

INSTALL = "pip install 'ascend-sim[media]'"


class MissingLibrary(ImportError):
    """PyAV is not installed, or cannot be loaded."""


def video_library() -> Any:
    """The module. Raises MissingLibrary, whose text says what to do."""
    try:
        import av
    except ImportError as error:
        raise MissingLibrary(
            f"video is decoded and encoded by PyAV, which cannot be imported ({error}): {INSTALL}"
        ) from None
    return av
