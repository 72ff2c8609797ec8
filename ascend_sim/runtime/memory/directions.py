"""The kinds of copies: the direction that each says, and what it leads to between two places (docs/semantics/copies.md)."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BUFFERED", "CORRECTION", "D2D", "D2H", "DEFAULT", "H2D", "H2H", "HOST_TO_HOST", "KIND_NAMES", "PAGEABLE", "QUEUED",
    "REFUSED",
]  # fmt: skip

H2H, H2D, D2H, D2D, DEFAULT, BUFFERED = range(6)
KIND_NAMES: Final = (
    "HOST_TO_HOST", "HOST_TO_DEVICE", "DEVICE_TO_HOST", "DEVICE_TO_DEVICE", "DEFAULT", "HOST_TO_BUF_TO_DEVICE",
)  # fmt: skip

QUEUED, PAGEABLE, HOST_TO_HOST, REFUSED = "queued", "pageable", "host to host", "refused"

_FORCED = dict.fromkeys((H2H, H2D, D2H, D2D, DEFAULT), QUEUED)

#: (source, destination) -> what each kind leads to; a kind that is missing is refused with 107000.
CORRECTION: Final[dict[tuple[str, str], dict[int, str]]] = {
    ("host", "host"): dict.fromkeys(_FORCED, HOST_TO_HOST),
    ("host", "device"): _FORCED,
    ("device", "host"): _FORCED,
    ("device", "device"): _FORCED,
    ("host", "unregistered"): {H2H: HOST_TO_HOST, DEFAULT: HOST_TO_HOST, H2D: PAGEABLE},
    ("device", "unregistered"): {D2H: PAGEABLE, DEFAULT: PAGEABLE, D2D: QUEUED},
    ("unregistered", "host"): {H2H: HOST_TO_HOST, DEFAULT: HOST_TO_HOST, D2H: PAGEABLE},
    ("unregistered", "device"): {H2D: PAGEABLE, DEFAULT: PAGEABLE, D2D: QUEUED},
    ("unregistered", "unregistered"): {
        H2D: PAGEABLE, D2H: PAGEABLE, D2D: QUEUED, H2H: HOST_TO_HOST, DEFAULT: HOST_TO_HOST,
    },
}  # fmt: skip
