"""The call log: one line for each API call with its arguments, result, thread and virtual time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from ascend_sim.findings.output import say
from ascend_sim.observers.observer import Observer
from ascend_sim.untrusted.escaping import escaped

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["CallLog"]

LONGEST = 48
LARGEST_CODE = 1_000_000
"""Return codes are below it, handles and addresses are not."""


class CallLog(Observer):
    """Writes a line when an outermost call returns: ``[   12.000 us] T0 (main): aclrtMalloc(64, 0) -> (0x..., 0)``.

    Lines go to *file*. Numbers above 64 Ki are shown in hexadecimal: they are handles, addresses or
    sizes. A call that never returned shows as a line without result when the simulator closes.
    """

    guarded = True
    title = "the call log"

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self._open: dict[int, str] = {}

    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """Remember how the call began; a call inside a callback closes over the outer one's line."""
        text = f"{name}({', '.join(_short(value) for value in arguments)})"
        outer = self._open.pop(t.number, None)
        if outer is not None:
            self.write(f"{_time(t)} {t.name}: {outer} ...")
        self._open[t.number] = text

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """Write the line."""
        begun = self._open.pop(t.number, f"... {name}")
        self.write(f"{_time(t)} {t.name}: {begun} -> {_result(result)}")

    def write(self, line: str) -> None:
        """One line, at once: a crash later loses nothing."""
        say(self.file, escaped(line))

    def closed(self, sim: Runtime) -> None:
        """Write what never returned."""
        for number in sorted(self._open):
            self.write(f"{' ' * 16} T{number}: {self._open[number]} did not return")
        self._open.clear()


def _time(t: HostThread) -> str:
    return f"[{t.clock / 1000:12.3f} us]"


def _result(value: Any) -> str:
    """The result, with the code at its end as people know codes: in decimal."""
    *outputs, code = value if isinstance(value, tuple) and value else (value,)
    if type(code) is not int or not 0 < code < LARGEST_CODE:
        return _short(value)
    return f"({', '.join([*map(_short, outputs), str(code)])})" if isinstance(value, tuple) else str(code)


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_short(item) for item in value)})"
    if type(value) is int:
        return hex(value) if value > 0xFFFF else str(value)
    if callable(value):
        return str(getattr(value, "__qualname__", type(value).__name__))
    text = repr(value) if isinstance(value, (str, bytes, bool, float, type(None))) else f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
