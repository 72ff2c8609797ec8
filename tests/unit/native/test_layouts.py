"""Structs of the catalogue are as a compiler lays them out, and values cross memory unchanged."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest

from ascend_sim.ascendcl import structs
from ascend_sim.catalogue.layouts import himpi_structs
from ascend_sim.catalogue.layouts import structs as layouts
from ascend_sim.errors import AclError
from ascend_sim.native.himpi_values import read_struct, write_struct
from ascend_sim.native.home.compilers import compile_c
from ascend_sim.native.home.headers import all_headers
from ascend_sim.native.values import known, struct_array_reader, struct_reader, struct_writer
from tests.kit.compilers import needs_compiler


def _include(folder: Path) -> Path:
    for path, text in all_headers().items():
        target = folder / "include" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder / "include"


def _asserted(folder: Path) -> list[str]:
    """A C source that compiles if every layout is the compiler's, and the words to compile it."""
    lines = []
    for layout in [*layouts().values(), *himpi_structs().values()]:
        lines.append(f'_Static_assert(sizeof({layout.name}) == {layout.size}, "{layout.name}");')
        lines.append(f'_Static_assert(_Alignof({layout.name}) == {layout.align}, "{layout.name}");')
        for field in layout.fields:
            place = f"{layout.name}, {field.name}"
            lines.append(f'_Static_assert(offsetof({place}) == {field.offset}, "{place}");')
    source = folder / "layouts.c"
    source.write_text('#include "acl/acl.h"\n#include "acl/acl_dump.h"\n#include "acl/acl_prof.h"\n'
        '#include "acl/dvpp/hi_dvpp.h"\n' + "\n".join(lines))
    return ["-c", f"-I{_include(folder)}", str(source), "-o", str(folder / "layouts.o")]


@needs_compiler
def test_sizes_and_offsets_are_those_of_the_compiler(tmp_path: Path) -> None:
    compile_c(_asserted(tmp_path))


ARM = ("-m", "ziglang", "cc", "-target", "aarch64-linux-gnu")
needs_zig = pytest.mark.skipif(find_spec("ziglang") is None, reason="no ziglang wheel: it compiles for aarch64")


@needs_zig
def test_sizes_and_offsets_are_those_of_aarch64(tmp_path: Path) -> None:
    words = _asserted(tmp_path)
    subprocess.run([sys.executable, *ARM, *words], check=True, timeout=300)
    source = tmp_path / "layouts.c"
    source.write_text(source.read_text() + '\n_Static_assert(sizeof(void *) == 4, "");\n')
    assert subprocess.run([sys.executable, *ARM, *words], capture_output=True, timeout=300, check=False).returncode


@needs_zig
@pytest.mark.slow
def test_the_library_is_built_for_aarch64(tmp_path: Path) -> None:
    code = "import sys, pathlib; from ascend_sim.native.home.library import build; build(pathlib.Path(sys.argv[1]))"
    compiler = shlex.join([sys.executable, *ARM])
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=os.environ | {"CC": compiler}, check=True, timeout=900)
    data = (tmp_path / "libascendcl.so").read_bytes()
    assert (data[:4], data[18:20]) == (b"\x7fELF", b"\xb7\x00")  # EM_AARCH64
    assert all(name in data for name in (b"aclrtMallocHost", b"aclAppLog", b"pthread_mutex_lock", b"hi_mpi_vpc_crop"))


@needs_compiler
@pytest.mark.parametrize("standard", ["c11", "c17", "c++11", pytest.param("c++17", marks=pytest.mark.slow), "c++20"])
def test_headers_compile_without_a_warning(standard: str, tmp_path: Path) -> None:
    include = _include(tmp_path)
    cpp = standard.startswith("c++")
    source = tmp_path / ("all.cpp" if cpp else "all.c")
    source.write_text(
        "".join(f'#include "{path}"\n' for path in all_headers()) + "int main(void) { return ACL_SUCCESS; }\n"
    )
    compile_c([f"-std={standard}", "-x", "c++" if cpp else "c", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
               f"-I{include}", str(source)])  # fmt: skip


def _clang() -> tuple[str, ...] | None:
    """The words that start clang: that of the system, or the one in the ziglang wheel."""
    path = shutil.which("clang")
    if path is not None:
        return (path,)
    return (sys.executable, "-m", "ziglang", "cc") if find_spec("ziglang") is not None else None


@pytest.mark.skipif(_clang() is None, reason="neither clang nor the ziglang wheel is installed")
@pytest.mark.parametrize("standard", ["c11", "c17", "c++11", "c++14", "c++17", "c++20"])
def test_headers_compile_without_a_warning_of_clang(standard: str, tmp_path: Path) -> None:
    include = _include(tmp_path)
    cpp = standard.startswith("c++")
    source = tmp_path / ("all.cpp" if cpp else "all.c")
    source.write_text(
        "".join(f'#include "{path}"\n' for path in all_headers()) + "int main(void) { return ACL_SUCCESS; }\n"
    )
    words = [f"-std={standard}", "-x", "c++" if cpp else "c", "-Wall", "-Wextra", "-Werror", "-c",
             "-o", str(tmp_path / "all.o")]  # fmt: skip - zig wants to find what it has compiled, also without -o
    done = subprocess.run(
        [*(_clang() or ()), *words, f"-I{include}", str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    source.write_text('#include "acl/acl.h"\nint main(void) { int unused; return 0; }\n')
    done = subprocess.run([*(_clang() or ()), *words, f"-I{include}", str(source)], capture_output=True, check=False)
    assert done.returncode != 0, "this compiler has no -Wextra -Werror"


@needs_compiler
def test_a_header_stands_alone(tmp_path: Path) -> None:
    include = _include(tmp_path)
    names = [path for path in all_headers() if not path.startswith("aclnnop/")]
    for i, path in enumerate(names):
        (tmp_path / f"{i}.c").write_text(f'#include "{path}"\n')
    compile_c(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}",
               *(str(tmp_path / f"{i}.c") for i in range(len(names)))])  # fmt: skip


def _filled(cls: Any, number: int) -> Any:
    """An object of the class with a value in every field that a program sets."""
    value = cls()
    layout = layouts()[cls.__name__]
    attrs.resolve_types(cls)
    kinds = {place.name: place.type for place in attrs.fields(cls)}
    for field in layout.fields:
        if field.name not in kinds or (layout.union and field is not layout.fields[0]):
            continue
        number += 1
        kind = kinds[field.name]
        if kind is int:
            setattr(value, field.name, number % 100)
        elif kind is float:
            setattr(value, field.name, number / 2)
        elif kind is str:
            setattr(value, field.name, f"text {number}")
        elif field.struct is not None and not field.dims and attrs.has(kind) and kind.__name__ in layouts():
            setattr(value, field.name, _filled(kind, number))
    return value


@pytest.mark.parametrize("name", sorted(known()))
def test_what_is_written_is_read_again(name: str) -> None:
    layout = layouts()[name]
    memory = ctypes.create_string_buffer(layout.size + 8)
    value = _filled(getattr(structs, name), 0)
    struct_writer(name)(ctypes.addressof(memory), value)
    assert memory.raw[layout.size :] == bytes(8)
    read = struct_reader(name)(ctypes.addressof(memory))
    again = ctypes.create_string_buffer(layout.size)
    struct_writer(name)(ctypes.addressof(again), read)
    pointers = [f for f in layout.fields if f.pointer and f.count]
    if not pointers:  # memory that pointers lead to is copied anew
        assert again.raw == memory.raw[: layout.size]
    plain = type(value)()
    for field in attrs.fields(type(value)):
        if isinstance(item := getattr(value, field.name), (int, str)) and item != getattr(plain, field.name):
            assert getattr(read, field.name) == item, field.name


def test_counted_arrays_and_pointers() -> None:
    cfg = structs.aclrtLaunchKernelCfg(
        [structs.aclrtLaunchKernelAttr(i, structs.aclrtLaunchKernelAttrValue(schemMode=i)) for i in (1, 2)], 2
    )
    memory = ctypes.create_string_buffer(16)
    struct_writer("aclrtLaunchKernelCfg")(ctypes.addressof(memory), cfg)
    read = struct_reader("aclrtLaunchKernelCfg")(ctypes.addressof(memory))
    assert [(a.id, a.value.schemMode) for a in read.attrs] == [(1, 1), (2, 2)]
    ranges = structs.aclmdlIODimsRange(2, [[1, 2], [3, -1]])
    memory = ctypes.create_string_buffer(layouts()["aclmdlIODimsRange"].size)
    struct_writer("aclmdlIODimsRange")(ctypes.addressof(memory), ranges)
    assert struct_reader("aclmdlIODimsRange")(ctypes.addressof(memory)) == ranges


def test_a_union_keeps_the_field_that_was_set() -> None:
    memory = ctypes.create_string_buffer(16)
    struct_writer("aclrtStreamAttrValue")(ctypes.addressof(memory), structs.aclrtStreamAttrValue(streamPriority=7))
    assert memory.raw == b"\7" + bytes(15)


def test_a_count_that_nobody_set_is_an_error_and_no_crash() -> None:
    with pytest.raises(AclError, match="cannot be read"):
        struct_array_reader("aclrtMemLocation")(16, 3)
    with pytest.raises(AclError, match="cannot be read"):
        struct_array_reader("aclrtMemLocation")(16, 1 << 40)


@pytest.mark.parametrize("name", sorted(himpi_structs()))
def test_a_dict_that_is_written_is_read_again(name: str) -> None:
    layout = himpi_structs()[name]
    memory = ctypes.create_string_buffer(layout.size + 8)
    number = iter(range(1, 10_000))

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: filled(one) for key, one in value.items()}
        return [filled(one) for one in value] if isinstance(value, list) else type(value)(next(number) % 100)

    value = filled(read_struct(name, ctypes.addressof(memory)))
    write_struct(name, ctypes.addressof(memory), value)
    assert memory.raw[layout.size :] == bytes(8)
    read = read_struct(name, ctypes.addressof(memory))
    places = [field.offset for field in layout.fields]
    for field in layout.fields:  # of a union the last one written counts
        if places.count(field.offset) == 1 and not (field.struct is not None and "union" in field.struct.text):
            assert read[field.name] == value[field.name] or field.struct is not None
    write_struct(name, ctypes.addressof(memory), {})
    assert read_struct(name, ctypes.addressof(memory)) == read


def test_words_beyond_a_field_are_cut() -> None:
    memory = ctypes.create_string_buffer(16)
    write_struct("hi_rect", ctypes.addressof(memory), {"x": -1, "width": 1 << 40 | 7, "height": 3})
    assert read_struct("hi_rect", ctypes.addressof(memory)) == {"x": -1, "y": 0, "width": 7, "height": 3}
