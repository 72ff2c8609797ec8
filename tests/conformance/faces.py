"""The two faces under which the rows call the simulator: the C names, and pyACL where it has the function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ascend_sim import ascendcl
from ascend_sim.ascendcl import structs
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import Row, row, rows
from ascend_sim.pyacl import modules

__all__ = ["C_FACE", "PYACL_FACE", "Face", "can_say", "pyacl_names"]


@cache
def pyacl_names() -> Mapping[str, Row]:
    """The rows of pyACL by the C function that each calls; helpers that wrap a call are left out."""
    found: dict[str, Row] = {}
    for module, names in rows().items():
        for name in names:
            entry = row(module, name)
            assert entry is not None
            if entry.c_function in functions():
                found.setdefault(entry.c_function, entry)
    return found


def can_say(name: str) -> bool:
    """Whether pyACL has *name*, and the rows' calls can be put into its words."""
    return name in pyacl_names() and _ADAPTERS.get(name) is not _never


class Face:
    """Calls by C name. `routed` collects the names that went through this face itself."""

    name = "c"

    def __init__(self) -> None:
        self.routed: set[str] = set()

    def call(self, name: str, inputs: tuple[Any, ...]) -> Any:
        """What the C face hands back."""
        self.routed.add(name)
        return getattr(ascendcl, name)(*inputs)


C_FACE, PYACL_FACE = "c", "pyacl"

_SIGNED = {"i": 32, "h": 16, "l": 64, "L": 64}


class PyaclFace(Face):
    """Calls pyACL's function where there is one that can say the same; the C face otherwise."""

    name = PYACL_FACE

    def call(self, name: str, inputs: tuple[Any, ...]) -> Any:
        """What the C face would hand back, asked for through pyACL."""
        entry = pyacl_names().get(name)
        arguments = None if entry is None else _arguments(entry, name, inputs)
        if entry is None or arguments is None:
            return getattr(ascendcl, name)(*inputs)
        self.routed.add(name)
        module, _, short = entry.name.rpartition(".")
        answer = getattr(modules()[f"acl.{module}" if module else "acl"], short)(*arguments)
        translate = _RESULTS.get(name)
        return translate(answer) if translate is not None else answer


def _arguments(entry: Row, name: str, inputs: tuple[Any, ...]) -> list[Any] | None:
    """The arguments of pyACL for those of C; None when pyACL cannot say it (a NULL string, a NULL function)."""
    adapt = _ADAPTERS.get(name)
    if adapt is not None:
        return adapt(*inputs)
    letters = entry.format.replace("|", "")
    if len(letters) != len(inputs):
        return None
    arguments = []
    for letter, value in zip(letters, inputs, strict=True):
        if letter in "kK" and value is None:
            value = 0
        if value is None or (letter in "kK" and not isinstance(value, int)):
            return None
        bits = _SIGNED.get(letter)
        if bits and isinstance(value, int) and value >= 1 << (bits - 1):
            value -= 1 << bits  # C takes the bits of an enum as they are
        arguments.append(value)
    return arguments


def _malloc_config(config: Any) -> dict[str, Any] | None:
    if config is None:
        return {}
    if config.attrs is None or len(config.attrs) != config.numAttrs:
        return None  # pyACL refuses such a dict itself
    names = {1: "moduleId", 2: "deviceId"}
    attributes = []
    for attribute in config.attrs:
        if attribute.attr not in names:
            return None
        field = names[attribute.attr]
        attributes.append({"attr": attribute.attr, "value": {field: getattr(attribute.value, field)}})
    return {"numAttrs": config.numAttrs, "attrs": attributes}


def _with_config(*inputs: Any) -> list[Any] | None:
    config = _malloc_config(inputs[-1])
    return None if config is None else [*inputs[:-1], config]


def _physical_prop(given: Any) -> dict[str, Any] | None:
    if not isinstance(given, structs.aclrtPhysicalMemProp):
        return None
    place = {"id": given.location.id, "type": given.location.type}
    fields = ("handleType", "allocationType", "memAttr", "reserve")
    return {**{name: getattr(given, name) for name in fields}, "location": place}


def _physical(size: int, given: Any, flags: int) -> list[Any] | None:
    prop = _physical_prop(given)
    return None if prop is None else [size, prop, flags]


def _granularity(given: Any, option: int) -> list[Any] | None:
    prop = _physical_prop(given)
    return None if prop is None else [prop, option]


def _callback(function: Any, user_data: Any, kind: int, stream: int | None) -> list[Any] | None:
    return None if function is None else [function, user_data, kind, stream or 0]


def _batch_reset(notifies: Any, count: int) -> list[Any] | None:
    return [notifies] if isinstance(notifies, list) and len(notifies) == count else None


def _pids(handle: Any, pids: Any, count: int) -> list[Any] | None:
    return [handle or 0, pids] if isinstance(pids, list) and len(pids) == count else None


_STREAM_ATTRIBUTES = {1: "failureMode", 2: "overflowSwitch", 3: "userCustomTag"}


def _stream_attribute(stream: Any, kind: int, value: Any) -> list[Any] | None:
    if value is None:
        return None
    key = _STREAM_ATTRIBUTES.get(kind)
    if key is not None:
        return [stream or 0, kind, {key: getattr(value, key)}]
    return [stream or 0, kind, {"reserved": [value.cacheOpInfoSwitch or value.streamPriority, 0, 0, 0]}]


def _stream_attribute_value(answer: Any) -> Any:
    found, code = answer
    first = found["reserved"][0] if "reserved" in found else 0
    fields = {**{key: found.get(key, 0) for key in _STREAM_ATTRIBUTES.values()}, "streamPriority": first}
    return structs.aclrtStreamAttrValue(**fields, cacheOpInfoSwitch=first), code


def _with_launch_config(
    function: int, blocks: int, stream: Any, config: Any, args: int, reserve: int
) -> list[Any] | None:
    return [function, blocks, stream or 0, [], args, reserve] if config is None else None


def _listed(count: int, *lists: Any) -> list[list[Any]] | None:
    """The lists of an array argument, which pyACL counts itself; None where it cannot say the same."""
    found = [[] if value is None and not count else value for value in lists]
    fits = all(isinstance(value, list) and len(value) == count and None not in value for value in found)
    return found if fits else None


def _execute(op: Any, n: int, descs: Any, ins: Any, m: int, out_descs: Any, outs: Any, attr: Any, stream: Any) -> Any:
    read, written = _listed(n, descs, ins), _listed(m, out_descs, outs)
    if op is None or read is None or written is None:
        return None
    return [op, *read, *written, attr or 0, stream or 0]


def _with_handle(handle: Any, n: int, ins: Any, m: int, outs: Any, stream: Any) -> Any:
    read, written = _listed(n, ins), _listed(m, outs)
    return None if read is None or written is None else [handle or 0, *read, *written, stream or 0]


def _described(op: Any, n: int, descs: Any, m: int, out_descs: Any, attr: Any) -> Any:
    read, written = _listed(n, descs), _listed(m, out_descs)
    return None if op is None or read is None or written is None else [op, *read, *written, attr or 0]


def _infer(op: Any, n: int, descs: Any, ins: Any, m: int, out_descs: Any, attr: Any) -> Any:
    read, written = _listed(n, descs, ins), _listed(m, out_descs)
    return None if op is None or read is None or written is None else [op, *read, m, *written, attr or 0]


def _create_kernel(op: Any, kernel_id: Any, name: Any, data: Any, size: int, engine: int, deallocator: Any) -> Any:
    if None in (op, kernel_id, name) or deallocator is not None:
        return None
    return [op, kernel_id, name, data or 0, size, engine, 0]


def _list_attribute(attr: Any, name: Any, count: int, values: Any) -> Any:
    read = _listed(count, values)
    return None if name is None or read is None else [attr or 0, name, *read]


def _dims(number: int, dataset: Any, index: int, dims: Any) -> Any:
    if dims is None:
        return None
    return [number, dataset or 0, index, {"name": dims.name, "dimCount": dims.dimCount, "dims": dims.dims}]


def _never(*_: Any) -> None:
    """pyACL has no way to say this."""
    return


_ADAPTERS: Mapping[str, Callable[..., list[Any] | None]] = {
    "aclInit": lambda path: [] if path is None else [path],
    "aclrtMallocWithCfg": _with_config,
    "aclrtMallocForTaskScheduler": _with_config,
    "aclrtMallocHostWithCfg": _with_config,
    "aclrtMallocPhysical": _physical,
    "aclrtMemGetAllocationGranularity": _granularity,
    "aclrtLaunchCallback": _callback,
    "aclrtSetExceptionInfoCallback": lambda function: [] if function is None else [function],
    "aclrtNotifyBatchReset": _batch_reset,
    "aclrtNotifySetImportPid": _pids,
    "aclrtNotifyGetExportKey": _never,
    "aclrtMemUceRepair": _never,
    "aclrtSetStreamAttribute": _stream_attribute,
    "aclrtBinaryLoadFromFile": lambda path, options: [path, []] if options is None and path is not None else None,
    "aclrtBinaryLoadFromData": lambda data, size, options: [data, size, []] if options is None else None,
    "aclrtLaunchKernelWithConfig": _with_launch_config,
    "aclrtDeviceGetUuid": _never,
    "aclopExecute": _execute,
    "aclopExecuteV2": _execute,
    "aclopExecWithHandle": _with_handle,
    "aclopCreateHandle": _described,
    "aclopUpdateParams": _described,
    "aclopInferShape": _infer,
    "aclopCreateKernel": _create_kernel,
    "aclopRegisterCompileFunc": lambda op, function: None if op is None or function is None else [op, function],
    "aclopSetAttrListBool": _list_attribute,
    "aclopSetAttrListInt": _list_attribute,
    "aclopSetAttrListFloat": _list_attribute,
    "aclopSetAttrListString": _list_attribute,
    "aclopSetAttrListDataType": _list_attribute,
    "aclopSetAttrListListInt": _never,
    "aclmdlSetInputDynamicDims": _dims,
    "aclmdlSetConfigOpt": _never,
    "aclmdlSetExecConfigOpt": _never,
    "aclrtGetDeviceUtilizationRate": _never,
}


def _attributes(answer: Any) -> Any:
    found, code = answer
    location = found["location"]
    return structs.aclrtPtrAttributes(
        structs.aclrtMemLocation(location["id"], location["type"]), found["page_size"]
    ), code


_RESULTS: Mapping[str, Callable[[Any], Any]] = {
    "aclrtPointerGetAttributes": _attributes,
    "aclrtGetStreamAttribute": _stream_attribute_value,
    "aclopSetAttrDataType": lambda answer: answer[1],
    "aclopSetAttrListDataType": lambda answer: answer[1],
    "aclrtGetPrimaryCtxState": lambda answer: (None, answer[0], answer[2]),
}
"""Where pyACL hands out dicts, or another order: back to what the C face hands out."""
