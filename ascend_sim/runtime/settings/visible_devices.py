"""Which devices a process sees: the list in ASCEND_RT_VISIBLE_DEVICES (docs/semantics/process.md#visible-devices)."""

from __future__ import annotations

__all__ = ["visible_devices"]


def visible_devices(text: str | None, count: int) -> tuple[int, ...]:
    """The devices of a list such as ``2,0``, by user id; all *count* of them for None.

    A list with anything else in it, with a device that is not there, or with one twice, shows no device at all.

    >>> visible_devices("2,0", 4), visible_devices(None, 2), visible_devices("0,7", 4)
    ((2, 0), (0, 1), ())
    """
    if text is None:
        return tuple(range(count))
    items = [item.strip() for item in text.split(",")]
    if not all(item.isascii() and item.isdigit() for item in items):
        return ()
    numbers = tuple(int(item) for item in items)
    if len(set(numbers)) < len(numbers) or max(numbers) >= count:
        return ()
    return numbers
