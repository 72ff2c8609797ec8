"""The C headers, made from the catalogue: names, prototypes and values.

All types stand in ``acl/acl_types.h``, which every other header includes: a program gets what it asks for, whichever
header of the family it names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from ascend_sim.catalogue.aclnn import object_functions, operators
from ascend_sim.catalogue.declarations import headers, typedefs
from ascend_sim.catalogue.enums import enums
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.himpi import HEADERS, himpi_functions, himpi_types
from ascend_sim.catalogue.layouts import structs
from ascend_sim.catalogue.tables import rows

__all__ = ["all_headers"]

_TYPES = "acl/acl_types.h"
_INCLUDES = {
    "acl/acl_base_rt.h": [_TYPES],
    "acl/acl_base_mdl.h": ["acl/acl_base_rt.h"],
    "acl/acl_base.h": [
        "acl/acl_base_rt.h",
        "acl/acl_base_mdl.h",
        "acl/error_codes/rt_error_codes.h",
        "acl/error_codes/ge_error_codes.h",
    ],
    "acl/acl_rt.h": ["acl/acl_base.h", "acl/acl_rt_allocator.h", "acl/acl_rt_memory_soma.h"],
    "acl/acl_rt_api.h": ["acl/acl_rt.h"],
    "acl/acl_mdl.h": ["acl/acl_base.h", "acl/acl_rt.h"],
    "acl/acl_op.h": ["acl/acl_base.h", "acl/acl_rt.h"],
    "acl/acl_op_compiler.h": ["acl/acl_base.h", "acl/acl_op.h"],
    "acl/acl.h": ["acl/acl_rt.h", "acl/acl_op.h", "acl/acl_mdl.h"],
    "acl/ops/acl_cblas.h": ["acl/acl.h"],
    "acl/error_codes/rt_error_codes.h": [_TYPES],
    "acl/error_codes/ge_error_codes.h": [_TYPES],
}
"""What a header includes; the others include acl_base.h."""

_KEYWORDS = {"new": "new_"}
_OBJECTS = [
    "aclOpExecutor",
    "aclTensor",
    "aclScalar",
    "aclIntArray",
    "aclFloatArray",
    "aclBoolArray",
    "aclTensorList",
    "aclScalarList",
]


def _included(path: str, name: str) -> str:
    """*name* as the header *path* includes it: from its own folder, as builds may name no more than that of ``acl.h``.

    >>> _included("acl/dvpp/hi_dvpp_vpc.h", "acl/acl_base.h"), _included("acl/acl.h", "<stdint.h>")
    ('"../acl_base.h"', '<stdint.h>')
    """
    return name if name.startswith("<") else f'"{posixpath.relpath(name, posixpath.dirname(path))}"'


def _guarded(path: str, includes: Iterable[str], body: str) -> str:
    guard = "ASCEND_SIM_" + re.sub(r"\W", "_", path).upper()
    lines = [
        "/* Made by ascend_sim from its tables of the AscendCL interface. */",
        f"#ifndef {guard}",
        f"#define {guard}",
    ]
    lines += [f"#include {_included(path, name)}" for name in includes]
    if body:
        lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif", body, "#ifdef __cplusplus", "}", "#endif"]
    return "\n".join([*lines, "#endif", ""])


def _declared(ctype: str, name: str) -> str:
    """A parameter, whose type may be an array or a function.

    >>> _declared("const aclTensorDesc* const[]", "inputDesc"), _declared("int32_t (*)(int32_t)", "callback")
    ('const aclTensorDesc* const inputDesc[]', 'int32_t (*callback)(int32_t)')
    """
    if "(*)" in ctype:
        return ctype.replace("(*)", f"(*{name})", 1)
    found = re.fullmatch(r"(.*?)((\[\w*\])+)", ctype)
    return f"{found[1].strip()} {name}{found[2]}" if found else f"{ctype} {name}"


def _prototype(returns: str, name: str, parameters: Sequence[tuple[str, str]], more: str = "") -> str:
    text = ", ".join(_declared(ctype, _KEYWORDS.get(parameter, parameter)) for parameter, ctype in parameters)
    return f"ACL_FUNC_VISIBILITY {returns} {name}({text + more or 'void'});"


def _values() -> list[str]:
    lines = []
    for value, name, _, _ in rows("error_codes.tsv", "value name group meaning"):
        if value[:3] in ("107", "207", "507") or name == "ACL_RT_SUCCESS":
            lines.append(f"#define {name} {value}")
        elif name.startswith("ACL_ERROR_GE_") and name != "ACL_ERROR_GE_FAILURE":
            lines.append(f"static const uint32_t {name} = {value}U;")
        else:
            lines.append(f"static const int {name} = {value};")
    for name, _, value in rows("constants.tsv", "name module value"):
        lines.append(f"#define {name} {value if not value.startswith(chr(39)) else chr(34) + value[1:-1] + chr(34)}")
    return lines


def _enums() -> list[str]:
    lines = []
    for enum in enums().values():
        members = ", ".join(member.replace("=", " = ") for member in (*enum.members, *enum.deprecated))
        if enum.name.isidentifier():
            lines.append(f"typedef enum {enum.name} {{ {members} }} {enum.name};")
        else:
            lines.append(f"enum {{ {members} }};")
    return lines


def _types() -> str:
    plain = [t for t in typedefs() if t.kind != "function"]
    lines = ["#ifndef ACL_FUNC_VISIBILITY", "#define ACL_FUNC_VISIBILITY", "#endif"]
    lines += [*_values(), *_enums(), *(f"typedef {t.target} {t.name};" for t in plain)]
    for layout in structs().values():
        kind = "union" if layout.union else "struct"
        text = layout.text
        if layout.name == "dim3":
            lines += [
                "typedef struct dim3 {", "    uint32_t x;", "    uint32_t y;", "    uint32_t z;", "#ifdef __cplusplus",
                "    constexpr dim3(uint32_t vx = 1, uint32_t vy = 1, uint32_t vz = 1) : x(vx), y(vy), z(vz) {}",
                "#endif", "} dim3;",
            ]  # fmt: skip
            continue
        lines.append(f"typedef {kind} {layout.name} {{ {text}; }} {layout.name};")
    lines += ["typedef " + _declared(t.target, t.name) + ";" for t in typedefs() if t.kind == "function"]
    return "\n".join(lines)


def _acl_headers() -> dict[str, str]:
    made = {_TYPES: _guarded(_TYPES, ["<stdbool.h>", "<stddef.h>", "<stdint.h>"], _types())}
    known = functions()
    for path, names in headers().items():
        lines = []
        for name in names:
            function = known[name]
            parameters = [(p.name, p.ctype) for p in function.parameters]
            lines.append(_prototype(function.returns, name, parameters, ", ..." if name == "aclAppLog" else ""))
        made[path] = _guarded(path, _INCLUDES.get(path, ["acl/acl_base.h"]), "\n".join(lines))
    for path, includes in _INCLUDES.items():
        made.setdefault(path, _guarded(path, includes, ""))
    return made


def _aclnn_headers() -> dict[str, str]:
    meta = [f"typedef struct {name} {name};" for name in _OBJECTS]
    meta += ["typedef int32_t aclnnStatus;", "#ifdef __cplusplus", "static const aclnnStatus OK = 0;", "#endif"]
    meta += [
        _prototype(f.returns, f.name, [(name, ctype) for name, ctype, _ in f.parameters])
        for f in object_functions().values()
    ]
    made = {
        "aclnn/aclnn_base.h": _guarded("aclnn/aclnn_base.h", ["aclnn/acl_meta.h"], ""),
        "aclnn/acl_meta.h": _guarded("aclnn/acl_meta.h", ["<stdlib.h>", "acl/acl_base.h"], "\n".join(meta)),
    }
    grouped: dict[str, list[str]] = {}
    for operator in operators().values():
        first = [(p.name, p.ctype) for p in operator.parameters]
        first += [("workspaceSize", "uint64_t*"), ("executor", "aclOpExecutor**")]
        second = [
            ("workspace", "void*"),
            ("workspaceSize", "uint64_t"),
            ("executor", "aclOpExecutor*"),
            ("stream", "aclrtStream"),
        ]
        grouped.setdefault(f"aclnnop/{operator.header}.h", []).extend(
            [
                _prototype("aclnnStatus", f"{operator.name}GetWorkspaceSize", first),
                _prototype("aclnnStatus", operator.name, second),
            ]
        )
    for path, lines in grouped.items():
        made[path] = _guarded(path, ["aclnn/acl_meta.h"], "\n".join(lines))
    return made


def _himpi_types() -> str:
    lines = ["#define ALIGN_UP(x, a) ((((x) + ((a) - 1U)) / (a)) * (a))"]
    for name, kind, text in himpi_types():
        if kind == "typedef":
            lines.append(f"typedef {text} {name};")
        elif kind == "constant":
            lines.append(f"#define {name} {text}")
        elif kind == "enum":
            members = ", ".join(member.replace("=", " = ") for member in text.split())
            lines.append(f"typedef enum {name} {{ {members} }} {name};")
        else:
            lines.append(f"typedef {kind} {name} {{ {text.replace(' }', '; }')}; }} {name};")
    return "\n".join(lines)


def _himpi_headers() -> dict[str, str]:
    """Those of the second interface of the media units; ``hi_dvpp.h`` includes all of them."""
    made = {}
    common = "acl/dvpp/hi_dvpp_common.h"
    for header in HEADERS:
        path = f"acl/dvpp/hi_dvpp_{header}.h"
        lines = [_himpi_types()] if path == common else []
        for function in himpi_functions().values():
            if function.header == header:
                returns = "hi_s32" if function.returns == "fd" else function.returns
                lines.append(_prototype(returns, function.name, [(p.name, p.ctype) for p in function.parameters]))
        includes = ["acl/acl_base.h", "<string.h>"] if path == common else [common]
        made[path] = _guarded(path, includes, "\n".join(lines))
    made["acl/dvpp/hi_dvpp.h"] = _guarded("acl/dvpp/hi_dvpp.h", sorted(made), "")
    return made


_SECUREC = """typedef int errno_t;
#define EOK 0
#ifndef SECUREC_MEM_MAX_LEN
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#endif
#ifndef SECUREC_STRING_MAX_LEN
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL
#endif
errno_t memset_s(void *dest, size_t destMax, int c, size_t count);
errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count);
errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count);
errno_t strcpy_s(char *strDest, size_t destMax, const char *strSrc);
errno_t strncpy_s(char *strDest, size_t destMax, const char *strSrc, size_t count);
errno_t strcat_s(char *strDest, size_t destMax, const char *strSrc);
errno_t strncat_s(char *strDest, size_t destMax, const char *strSrc, size_t count);
char *strtok_s(char *strToken, const char *strDelimit, char **context);
int sprintf_s(char *strDest, size_t destMax, const char *format, ...);
int snprintf_s(char *strDest, size_t destMax, size_t count, const char *format, ...);
int snprintf_truncated_s(char *strDest, size_t destMax, const char *format, ...);
int vsprintf_s(char *strDest, size_t destMax, const char *format, va_list argList);
int vsnprintf_s(char *strDest, size_t destMax, size_t count, const char *format, va_list argList);"""

_MSTX = """#define MSTX_INVALID_RANGE_ID 0
#define MSTX_SUCCESS 0
#define MSTX_FAIL 1
typedef uint64_t mstxRangeId;
typedef struct mstxDomainRegistration_st mstxDomainRegistration_st;
typedef mstxDomainRegistration_st mstxDomainHandle;
typedef mstxDomainHandle *mstxDomainHandle_t;
typedef void *aclrtStream;
void mstxMarkA(const char *message, aclrtStream stream);
mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream);
void mstxRangeEnd(mstxRangeId id);
mstxDomainHandle_t mstxDomainCreateA(const char *name);
void mstxDomainDestroy(mstxDomainHandle_t domain);
void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream);
mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message, aclrtStream stream);
void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id);"""


_MSPROF = """struct MsprofApi;
int32_t MsprofSetDeviceIdByGeModelIdx(uint32_t geModelIdx, uint32_t deviceId);
int32_t MsprofReportApi(uint32_t nonPersistantFlag, const struct MsprofApi *api);
int32_t MsprofReportCompactInfo(uint32_t nonPersistantFlag, const void *data, uint32_t length);
int32_t MsprofReportAdditionalInfo(uint32_t nonPersistantFlag, const void *data, uint32_t length);
uint64_t MsprofGetHashId(const char *hashInfo, size_t length);
uint64_t MsprofSysCycleTime(void);"""
"""Of the profiler's own interface as much as programs call, without the layouts of its reports."""


def all_headers() -> dict[str, str]:
    """The text of every header, by its path in the include folder."""
    made = {**_acl_headers(), **_aclnn_headers(), **_himpi_headers()}
    made["securec.h"] = _guarded("securec.h", ["<stdarg.h>", "<stddef.h>"], _SECUREC)
    made["mstx/ms_tools_ext.h"] = _guarded("mstx/ms_tools_ext.h", ["<stdint.h>"], _MSTX)
    made["profiling/aprof_pub.h"] = _guarded("profiling/aprof_pub.h", ["<stddef.h>", "<stdint.h>"], _MSPROF)
    return made
