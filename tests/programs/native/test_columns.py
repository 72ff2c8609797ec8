"""Lines of C and C++ with several calls of one function: the debug information has their columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
OPTIMISED = pytest.mark.parametrize("optimised", ["-O0", "-O2"])


def _built(name: str, optimised: str, folder: Path) -> Path:
    done = tool("cc", "-g", optimised, str(SOURCES / name), "-o", str(folder / "main"))
    assert done.returncode == 0, done.stderr
    return folder / "main"


def _found(program: Path, *words: str) -> list[tuple[str, list[str]]]:
    """Of each finding kind and name of what it is about, and what stands at the columns of its sites."""
    report = program.parent / "found.json"
    tool("run", "--json", str(report), str(program), *words)
    found = []
    for finding in json.loads(report.read_text())["findings"]:
        marks = []
        for site in finding["sites"]:
            frame = site["frames"][0]
            line = Path(frame["file"]).read_text(encoding="utf-8").splitlines()[frame["line"] - 1]
            marks.append("" if frame["col"] is None else line[frame["col"] : frame["col"] + 20].rstrip())
        found.append((f"{finding['kind']} {finding['title'].partition('`')[2].partition('`')[0]}", marks))
    return found


@OPTIMISED
def test_calls_in_a_line_of_c_are_told_apart(optimised: str, tmp_path: Path) -> None:
    pytest.importorskip("elftools")
    program = _built("one_line.c", optimised, tmp_path)
    assert _found(program) == []
    assert _found(program, "twice") == [
        ("double-free third", ["aclrtFree(third);", "aclrtFree(third); if", "aclrtMalloc(out, 64,"])
    ]
    [(_, marks)] = _found(program, "leak")
    assert sorted(marks) == ["aclrtMalloc(&second,", "aclrtMalloc(out, 64,"]
    [(_, marks)] = _found(program, "macro")
    assert set(marks) == {""}, "of two calls in one macro nobody can tell"


@OPTIMISED
def test_objects_that_one_line_makes_have_their_names(optimised: str, tmp_path: Path) -> None:
    pytest.importorskip("elftools")
    found = [what for what, _ in _found(_built("one_line.cpp", optimised, tmp_path))]
    blocks = [
        "first.data", "second.data", "third->data", "fourth->data", "pair.left.data", "pair.right.data", "filled", "full",
        "first.data", "third->data",
    ]  # fmt: skip
    assert found == [f"double-free {block}" for block in blocks]


def test_without_the_library_that_reads_columns_no_call_is_guessed(tmp_path: Path) -> None:
    program = _built("one_line.c", "-O0", tmp_path)
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['elftools'] = None\n")
    done = tool("run", "main", "twice", cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert "aclrtFree frees a block of 64 bytes a second time" in done.stderr, "no name is taken from that line"
    assert done.stderr.count("one_line.c:22 has several calls that could be meant: with `pip install pyelftools`") == 1
    assert "pyelftools" not in tool("run", "main", cwd=tmp_path, PYTHONPATH=str(tmp_path)).stderr
    assert program.exists()


def _library(folder: Path, text: str) -> str:
    """The path of a folder with a package ``elftools`` that says *text*; it is not that of the program."""
    (folder / "library" / "elftools").mkdir(parents=True)
    (folder / "library" / "elftools" / "__init__.py").write_text(text)
    return str(folder / "library")


def test_a_library_that_fails_costs_columns_only(tmp_path: Path) -> None:
    _built("one_line.c", "-O0", tmp_path)
    done = tool("run", "main", "twice", cwd=tmp_path, PYTHONPATH=_library(tmp_path, "raise MemoryError\n"))
    assert done.stderr.count("error[double-free]") == 1, done.stderr
    assert "one_line.c:22 in main" in done.stderr and "plainer words" not in done.stderr
    assert "pip install" not in done.stderr


def test_a_package_of_the_program_that_is_called_so_is_none(tmp_path: Path) -> None:
    program = _built("one_line.c", "-O0", tmp_path)
    (tmp_path / "elftools").mkdir()
    (tmp_path / "elftools" / "__init__.py").write_text("raise MemoryError\n")
    done = tool("run", str(program), "twice", PYTHONPATH=str(tmp_path))
    assert "one_line.c:22 in main" in done.stderr and "plainer words" not in done.stderr


REPORTING = """
#include "acl/acl.h"
#include <thread>
#include <unistd.h>
int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtStream stream;
    void *block, *host;
    aclrtCreateStream(&stream);
    aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMallocHost(&host, 64);
    std::thread other([] { usleep(2000); aclrtSetDevice(0); });
    auto kind = ACL_MEMCPY_DEVICE_TO_HOST;
    aclrtMemcpyAsync(host, 64, block, 64, kind, stream); aclrtMemcpyAsync(host, 64, block, 64, kind, stream);
    usleep(5000); // the copies run in it
    other.join();
    _exit(0);
}
"""


def test_a_thread_whose_report_asks_for_columns_keeps_its_turn(tmp_path: Path) -> None:
    """The library takes ten times as long as a thread may sleep until others go on beside it. These would wait for the
    step of the device in which the report is made."""
    (tmp_path / "main.cpp").write_text(REPORTING)
    done = tool("cc", "-g", "-O0", "main.cpp", "-o", "main", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    library = _library(tmp_path, "import time\ntime.sleep(0.5)\nraise MemoryError\n")
    done = tool("run", "main", cwd=tmp_path, PYTHONPATH=library)
    assert done.stderr.count("error[uninitialised-read]") == 1, done.stderr
    assert "order-depends-on-clock" not in done.stderr


HIDDEN = """
#include "acl/acl.h"
namespace { namespace inner { struct Made { void twice(void *p) { aclrtFree(p); aclrtFree(p); } }; } }
template <class T> static T *kept(T *p) { aclrtFree(p); return aclrtFree(p) ? p : nullptr; }
int main(int count, char **)
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    void *first, *second, *third;
    aclrtMalloc(&first, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&second, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&third, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    inner::Made().twice(first);
    if (kept(static_cast<int *>(second)))
        count++;
    auto again = [&](void *p) { aclrtFree(p); count += aclrtFree(p); };
    again(third);
    return aclFinalize() + count == 0;
}
"""


def test_functions_that_no_other_file_sees_have_their_names_where_they_are_compiled_into_another(tmp_path: Path) -> None:
    pytest.importorskip("elftools")
    (tmp_path / "hidden.cpp").write_text(HIDDEN)
    done = tool("cc", "-g", "-O2", "hidden.cpp", "-o", "main", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    tool("run", "--json", "found.json", "main", cwd=tmp_path)
    found = json.loads((tmp_path / "found.json").read_text())["findings"]
    made = [(f["title"].partition("`")[2].partition("`")[0], f["sites"][0]["frames"][0]["function"]) for f in found]
    assert made == [("first", "inner::Made::twice"), ("second", "kept<int>"), ("third", "main::{lambda}")]
