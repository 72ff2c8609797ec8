"""The JSON file of aclInit: reading it, and what its keys mean, in the order in which the real library looks at them.

Files are judged as the real parser does (docs/semantics/process.md#the-file-of-aclinit): at most 10 MiB, at most 10
levels of "{" and of "[" (counted in the text, also inside strings), strict JSON in UTF-8 up to the first NUL, the last
of equal keys counts. A file that holds some other JSON value than an object has no keys.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Any, Final, NoReturn

from ascend_sim.constants.errors import (
    ACL_ERROR_FAILURE,
    ACL_ERROR_INVALID_DUMP_CONFIG,
    ACL_ERROR_INVALID_FILE,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_PARSE_FILE,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INVALID_DEVICEID,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.init import DVPP, MODEL, OP_EXECUTOR, OTHER
from ascend_sim.runtime.settings.device_limits import (
    SIMD_FIFO,
    SIMD_STACK,
    SIMT_DIVERGENCE_STACK,
    SIMT_FIFO,
    SIMT_STACK,
)
from ascend_sim.untrusted.digests import sha256

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["configure", "dump_section", "parse"]

MAX_BYTES: Final = 10 << 20
MAX_NESTING: Final = 10
"""For "{" and for "[" alike."""


_BOM: Final = b"\xef\xbb\xbf"
_MOST_DIGITS: Final = 19
_NUMBER: Final = r"\s*[-+]?\d+"
_LONG: Final = (1 << 63) - 1
_INFINITY: Final = float("inf")


def configure(t: ThreadState, path: str | None) -> None:
    """Read the file of a first aclInit, take its settings over and call the init callbacks in between.

    What was taken over before an error stays. Raises AclError: 100003 (no regular file that can be read, larger than 10
    MiB), 100000 (other contents than the first time, bad ``err_msg_mode``, ``max_opqueue_num``, ``event_mode`` or
    ``profiler``), 100006 (no JSON, nested too deep), 100009 (bad ``dump`` section), 500001 (bad ``StackSize``,
    ``defaultDevice`` or print buffer), 107001 (no such default device), 107000 (print buffer out of range), 207000
    (``event_mode`` on a chip without it), and what a callback answers.
    """
    path = path.split("\0", 1)[0] if path else ""
    raw, regular = _read(path) if path else (b"", True)
    process = t.sim.process
    digest = _digest(raw)
    if process.config_digest is not None and process.config_digest != digest:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{_named(path)} differs from the file of the first aclInit of this process", "acl"
        )
    text = raw.decode("utf-8", "replace")
    settings = _settings(path, raw, regular)
    _error_mode(t, settings)
    process.config_text = text
    process.init_callbacks.notify(t, MODEL, text, len(raw))
    if path:
        _dump(t, settings)
        process.init_callbacks.notify(t, OP_EXECUTOR, text, len(raw))
        _op_queue(t, settings)
        _stacks(t, settings)
        _default_device(t, settings)
        _print_buffers(t, settings)
        _event_mode(t, settings)
        _profiler(t, settings)
    process.init_callbacks.notify(t, DVPP, text, len(raw))
    process.init_callbacks.notify(t, OTHER, text, len(raw))
    if process.config_digest is None:
        process.config_digest = digest


# -- the file ---------------------------------------------------------------------------------------------------------


def _named(path: str) -> str:
    return f"configPath {path!r}" if path else "the empty configuration"


def _digest(raw: bytes) -> bytes:
    """What stands for the contents of a file; empty for those of none."""
    if not raw:
        return b""
    return sha256(raw).digest()


def _read(path: str) -> tuple[bytes, bool]:
    """The bytes of the file, one more than allowed at most, and whether it is a regular file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b"", False
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1), True
    except OSError as error:
        raise AclError(ACL_ERROR_INVALID_FILE, f"{_named(path)} cannot be opened: {error.strerror}", "acl") from None
    except UnicodeEncodeError:
        raise AclError(ACL_ERROR_INVALID_FILE, f"{_named(path)} cannot be the name of a file", "acl") from None


def _settings(path: str, raw: bytes, regular: bool) -> Any:
    if not regular:
        raise AclError(ACL_ERROR_INVALID_FILE, f"{_named(path)} is no regular file", "acl")
    if len(raw) > MAX_BYTES:
        raise AclError(ACL_ERROR_INVALID_FILE, f"{_named(path)} is larger than {MAX_BYTES} bytes", "acl")
    raw = raw.split(b"\0", 1)[0]
    if not raw:
        return {}
    from ascend_sim.untrusted.json_text import depth  # most programs have no file

    for brackets in (b"{}", b"[]"):
        levels = depth(raw, brackets)
        if levels > MAX_NESTING:
            found = f'nests "{chr(brackets[0])}" {levels} deep, {MAX_NESTING} is the most'
            raise AclError(ACL_ERROR_PARSE_FILE, f"{_named(path)} {found}", "acl")
    try:
        return parse(raw)
    except ValueError as error:
        raise AclError(ACL_ERROR_PARSE_FILE, f"{_named(path)} is no JSON: {error}", "acl") from None


def _integer(digits: str) -> int | float:
    """Integers beyond 64 bits are floating-point numbers, as in the real parser."""
    if len(digits) <= _MOST_DIGITS:
        return int(digits)
    number = _finite(digits)
    return int(digits) if -_LONG - 1 <= number < 2.0**64 else number


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (_INFINITY, -_INFINITY):
        raise ValueError(f"the number {digits[:20]}... is too large")
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def parse(raw: bytes) -> Any:
    """The JSON value in *raw*. Raises ValueError for what is no strict JSON in UTF-8 (a byte order mark is skipped)."""
    import json

    value = json.loads(
        raw.removeprefix(_BOM).decode("utf-8"),
        parse_int=_integer,
        parse_float=_finite,
        parse_constant=_no_constant,
    )
    # half of a surrogate pair in an escape is refused, as it has no UTF-8 form (UnicodeEncodeError is a ValueError)
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


# -- the keys ---------------------------------------------------------------------------------------------------------

_MISSING: Final = object()


def _get(settings: Any, key: str) -> Any:
    """The value of *key*; _MISSING also in what is no object."""
    return settings.get(key, _MISSING) if isinstance(settings, dict) else _MISSING


def _leading_number(value: Any) -> int:
    """What C's strtol reads at the start of a JSON value's text without its quotes: 0 when there is no number."""
    import json

    text = value if isinstance(value, str) else json.dumps(value)
    found = re.match(_NUMBER, text.strip('"'))
    return 0 if found is None else max(-_LONG - 1, min(_LONG, int(found[0][:25])))


def _error_mode(t: ThreadState, settings: Any) -> None:
    mode = _get(settings, "err_msg_mode")
    if mode is not _MISSING and mode not in ("0", "1"):
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f'err_msg_mode is {mode!r}: "0" (thread) or "1" (process) is required', "acl"
        )
    t.sim.process.process_texts = mode == "1"


def dump_section(path: str) -> dict[str, Any]:
    """The ``dump`` section of a file, for aclmdlSetDump; empty: it has none.

    Raises AclError 100003 (no regular file that can be read), 100006 (no JSON), 100009 (a section that is refused).
    """
    return _dump_of(_settings(path, *_read(path)))


def _dump_of(settings: Any) -> dict[str, Any]:
    section = _get(settings, "dump")
    if section is _MISSING:
        return {}
    from ascend_sim.runtime.settings.dump_settings import dump_fault

    fault = dump_fault(section)
    if fault:
        raise AclError(ACL_ERROR_INVALID_DUMP_CONFIG, f"dump.{fault}" if isinstance(section, dict) else fault, "acl")
    assert isinstance(section, dict)  # else that is the fault
    return section


def _dump(t: ThreadState, settings: Any) -> None:
    section = _dump_of(settings)
    t.sim.process.dump = section
    if section:
        from ascend_sim.runtime.dumping.session import DumpSession  # few programs dump: the others start sooner

        t.sim.part(DumpSession).apply(t, section)


def _op_queue(t: ThreadState, settings: Any) -> None:
    value = _get(settings, "max_opqueue_num")
    if value is _MISSING:
        return
    number = _leading_number(value)
    if number <= 0:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"max_opqueue_num is {value!r}: a number larger than 0 is required", "acl"
        )
    t.sim.process.max_op_queue = number


_STACKS: Final = (
    ("aicore_stack_size", SIMD_STACK),
    ("simt_stack_size", SIMT_STACK),
    ("simt_divergence_stack_size", SIMT_DIVERGENCE_STACK),
)


def _stacks(t: ThreadState, settings: Any) -> None:
    """Sizes that a chip lacks or that are out of range are ignored here, unlike in aclrtDeviceSetLimit."""
    section = _get(settings, "StackSize")
    for key, limit in _STACKS:
        value = _get(section, key)
        if value is _MISSING:
            continue
        if not isinstance(value, (int, float)):
            raise AclError(ACL_ERROR_FAILURE, f"StackSize.{key} is {value!r}: a number of bytes is required", "acl")
        try:
            t.sim.process.limits.set(t.sim.profile, limit, int(value) & 0xFFFFFFFF)
        except AclError:
            continue


_ID: Final = r"0|[1-9][0-9]*"


def _default_device(t: ThreadState, settings: Any) -> None:
    value = _get(_get(settings, "defaultDevice"), "default_device")
    if value is _MISSING:
        return
    if not isinstance(value, str) or not re.fullmatch(_ID, value):
        what = f'defaultDevice.default_device is {value!r}: a device id in quotes is required, as in "0"'
        raise AclError(ACL_ERROR_FAILURE, what, "acl")
    device = min(int(value[:25]), _LONG) & 0xFFFFFFFF
    if device == 0xFFFFFFFF:
        return
    if device >= len(t.sim.devices):
        most = len(t.sim.devices) - 1
        raise AclError(
            ACL_ERROR_RT_INVALID_DEVICEID, f"defaultDevice.default_device is {value!r}: 0 to {most} is required"
        )
    t.sim.process.default_device = device


_PRINT_BUFFERS: Final = (("simt_printf_fifo_size", SIMT_FIFO), ("simd_printf_fifo_size_per_core", SIMD_FIFO))


def _print_buffers(t: ThreadState, settings: Any) -> None:
    for key, limit in _PRINT_BUFFERS[::-1]:
        value = _get(settings, key)
        if value is _MISSING:
            continue
        if type(value) is not int or value <= 0:
            raise AclError(
                ACL_ERROR_FAILURE, f"{key} is {value!r}: a positive whole number of bytes is required", "acl"
            )
        try:
            t.sim.process.limits.set(t.sim.profile, limit, min(value, _LONG) & 0xFFFFFFFF)
        except AclError as error:
            if error.code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT:
                raise AclError(error.code, f"{key}: {error.reason}") from None


def _event_mode(t: ThreadState, settings: Any) -> None:
    value = _get(_get(settings, "acl_graph"), "event_mode")
    if value is _MISSING:
        return
    if value not in ("0", "1"):
        raise AclError(ACL_ERROR_INVALID_PARAM, f'acl_graph.event_mode is {value!r}: "0" or "1" is required', "acl")
    if "value_operations" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"acl_graph.event_mode: {t.sim.profile.name} has no such mode")
    t.sim.process.event_mode = int(value)


def _profiler(t: ThreadState, settings: Any) -> None:
    """The profiler of the file is not modelled: its section is looked at, and aclprofInit is refused when it is on."""
    section = _get(settings, "profiler")
    if section is not _MISSING and not isinstance(section, dict):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"profiler is {section!r}: a JSON object is required", "acl")
    t.sim.process.profiler_switch = isinstance(section, dict) and section.get("switch") == "on"
