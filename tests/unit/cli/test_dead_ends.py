"""Where a run stops for want of an option: the option is named."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim._boot import _idle_mappings
from ascend_sim.cli import main
from ascend_sim.cli.explain import main as explain
from ascend_sim.observers.call_log import CallLog
from ascend_sim.pyacl import modules


@pytest.fixture
def acl() -> ModuleType:
    return modules()["acl"]


@pytest.mark.parametrize(("code", "option"), [("145002", "--models MODEL.om=STAND_IN.om"), ("100014", "--ops open")])
def test_a_code_for_a_missing_file_names_the_option(code: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    explain([code])
    assert option in capsys.readouterr().out


def test_a_missing_folder_of_operators_names_the_option() -> None:
    with Simulator():
        C.aclInit(None)
        assert C.aclopSetModelDir("/nowhere/at/all") == 100014
        assert "--ops open" in C.aclGetRecentErrMsg()


def test_a_mapping_that_nothing_used_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASCEND_SIM_MODELS", f"resnet.om={tmp_path}/x.om,other.om={tmp_path}/y.om")
    monkeypatch.setenv("ASCEND_SIM_KERNELS", f"add.o={tmp_path}/k.py")
    with Simulator() as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        C.aclmdlLoadFromFile("model/other.om")
        C.aclmdlLoadFromFile("model/resnet50.om")
        assert _idle_mappings(sim) == [
            "--models resnet.om=... was never used: the program loads 'model/other.om', 'model/resnet50.om'",
            "--kernels add.o=... was never used: the program loads no kernel file",
        ]


def test_a_function_that_is_not_modelled_is_told_once(acl: Any) -> None:
    with Simulator() as sim:
        acl.fv.init(0, 1)
        acl.fv.init(0, 2)
        acl.fv.release(0, 2)
        assert [f.count for f in sim.findings if f.kind == "not-modelled"] == [2, 1]


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("fv.create_init_para", 0), ("fv.init", 207000), ("fv.release", 207000), ("fv.create_search_input", 0),
    ],
)  # fmt: skip
def test_what_is_not_modelled_returns_the_right_shape(acl: Any, name: str, result: object) -> None:
    with Simulator():
        module, _, short = name.partition(".")
        assert getattr(getattr(acl, module), short)() == result


def test_the_call_log_writes_codes_in_decimal() -> None:
    with Simulator() as sim:
        log = CallLog(io.StringIO())
        sim.attach(log)
        C.aclrtMalloc(64, 0)
        C.aclrtFree(1 << 40)
        lines = log.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert [line.rpartition(" -> ")[2] for line in lines] == ["(0, 107002)", "107000"]


def test_several_binaries_are_no_binarys() -> None:
    from ascend_sim.observers.memory.leaks import _many

    assert [_many(n, "binary") for n in (1, 2)] == ["1 binary", "2 binaries"]


@pytest.mark.parametrize(("words", "says"), [
    (("run", "mine"), "there is no file 'mine'; did you mean mine.py?"),
    (("run", "mien.py"), "there is no file 'mien.py'; did you mean mine.py?"),
    (("run", "else.c"), "there is no file 'else.c', and no command of that name in PATH\n"),
    (("run", "./else.c"), "there is no file './else.c'\n"),
    (("explore", "nowhere"), "there is no file 'nowhere', and no command of that name in PATH\n"),
    (("run", "no/mine.py"), "there is no file 'no/mine.py'\n"),
    (("run", "."), "'.' is a folder without a __main__.py: name the program in it"),
    (("run", "pipe.py"), "'pipe.py' is a pipe or a device: name a file"),
    (("run", "/dev/zero"), "'/dev/zero' is a pipe or a device: name a file"),
    (("explore", "pipe.py"), "'pipe.py' is a pipe or a device: name a file"),
    (("explore", "-o", "pipe.py", "mine.py"), "--save 'pipe.py' is no regular file"),
    (("explore", "--save", ".", "mine.py"), "--save '.' is no regular file"),
    (("cc", "pipe.c", "-o", "x"), "'pipe.c' is a pipe or a device: name a file"),
    (("cc", "-c", "pipe.cpp"), "'pipe.cpp' is a pipe or a device: name a file"),
    (("cc", "-x", "c", "/dev/zero"), "'/dev/zero' is a pipe or a device: name a file"),
    (("run", "pages.ipynb"), "'pages.ipynb' is a notebook: open it in Jupyter, where `%load_ext ascend_sim`"),
    (("explore", "mien.py"), "there is no file 'mien.py'; did you mean mine.py?"),
    (("explore", "pages.ipynb"), "'pages.ipynb' is a notebook"),
    (("replay", "mine.py"), "name the FILE that `ascend-sim explore -o FILE` wrote, and behind it the PROGRAM"),
    (("replay", "gone.json", "mine.py"), "'gone.json' cannot be read: No such file or directory"),
    (("replay", "mine.py", "mine.py"), "what can be replayed is written by `ascend-sim explore -o FILE`"),
    (("replay", "pages.ipynb", "mine.py"), "what can be replayed is written by `ascend-sim explore -o FILE`"),
], ids=str)  # fmt: skip
def test_a_program_or_file_that_is_none_is_told_in_a_sentence(
    words: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("import acl\n")
    (tmp_path / "pages.ipynb").write_text("{}")
    for name in ("pipe.py", "pipe.c", "pipe.cpp"):
        os.mkfifo(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    assert main([*words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("ascend-sim: ") and says in said and "Errno" not in said
