"""Every function that the library exports can be called, with nothing and with scratch memory."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ascend_sim.catalogue.functions import functions
from ascend_sim.native.home import folder, library
from ascend_sim.native.home.compilers import CompilerError, compile_c
from ascend_sim.native.signatures import signature
from tests.kit.compilers import needs_compiler
from tests.kit.forks import HANG
from tests.programs.native.all_calls import program
from tests.programs.native.conftest import tool

pytestmark = needs_compiler


def test_every_function_of_the_headers_twice(tmp_path: Path) -> None:
    called = [function for function in library.exported() if function.name in functions()]
    (tmp_path / "all.c").write_text(program(called))
    done = tool("cc", "-w", "-O0", "all.c", "-o", "all", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = tool("run", "--format", "short", "all", cwd=tmp_path)
    assert done.stdout.splitlines()[-1].startswith(f"{len(called)} functions, last "), done.stderr[-3000:]
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_every_function_of_the_headers_and_every_signature_twice_under_sanitizers(tmp_path: Path) -> None:
    """Of operators and pictures, thousands, one a signature: the others have the same text in C."""
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g", "-O0"]
    (tmp_path / "nothing.c").write_text("int main(void) { return 0; }\n")
    try:
        compile_c([*flags, str(tmp_path / "nothing.c"), "-o", str(tmp_path / "nothing")])
    except CompilerError as error:
        pytest.skip(f"this compiler has no sanitizers: {error}")
    library.build(tmp_path, flags)
    headers = [function for function in library.exported() if function.name in functions()]
    others = {signature(function): function for function in library.exported() if function.name not in functions()}
    called = [*headers, *others.values()]
    (tmp_path / "all.c").write_text(program(called))
    compile_c(["-w", *flags, str(tmp_path / "all.c"), "-o", str(tmp_path / "all"), f"-L{tmp_path}",
               "-lascendcl", f"-Wl,-rpath,{tmp_path}"])  # fmt: skip
    (tmp_path / "python.cfg").write_text(folder.configuration())
    variables = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(
        [tmp_path / "all"], env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=HANG, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert f"{len(called)} functions, last " in done.stdout
    assert "runtime error" not in done.stderr
