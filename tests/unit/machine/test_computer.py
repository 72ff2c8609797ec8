"""What the computer has left is asked when the simulated memory has grown, and told once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.machine import allocations, computer
from ascend_sim.machine.computer import GROWTH, Growth
from tests.kit.calls import must

GIB = 1 << 30
MIB = 1 << 20


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from ascend_sim.machine import address_space

    for module in (allocations, address_space):
        monkeypatch.setattr(module, "STEP", MIB)
    GROWTH.fresh = 0
    yield
    GROWTH.fresh = 0


def _computer(monkeypatch: pytest.MonkeyPatch, mine: int | None, free: int | None) -> list[int]:
    asked: list[int] = []

    def resident() -> int | None:
        asked.append(1)
        return mine

    monkeypatch.setattr(computer, "resident", resident)
    monkeypatch.setattr(computer, "left", lambda: free)
    return asked


def _touched(address: int, nbytes: int) -> int:
    return int(C.aclrtMemset(address, nbytes, 0, nbytes))


def test_memory_that_is_not_touched_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _computer(monkeypatch, 9 * GIB, GIB)
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        must(C.aclrtMalloc(8 * GIB, 2))
        assert not asked
        assert not sim.findings


def test_it_is_told_once_with_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _computer(monkeypatch, 9 * GIB, 3 * GIB)
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        for _ in range(5):
            assert _touched(must(C.aclrtMalloc(2 * MIB, 2)), 2 * MIB) == 0
        (found,) = sim.findings
    assert (found.kind, found.severity, found.count) == ("limit-close", "note", 1)
    assert "takes 9.0 GiB" in found.title
    assert "has 3.0 GiB left" in found.title
    assert "--inject memory:6GiB" in found.fix
    assert len(asked) == 1


def test_each_simulator_hears_it_and_a_closed_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    _computer(monkeypatch, 9 * GIB, 3 * GIB)
    before = len(GROWTH.listeners)
    for _ in range(2):
        with Simulator() as sim:
            must(C.aclrtSetDevice(0))
            assert _touched(must(C.aclrtMalloc(2 * MIB, 2)), 2 * MIB) == 0
            assert len(sim.findings) == 1
    with Simulator():
        pass
    assert len(GROWTH.listeners) <= before


@pytest.mark.parametrize(("mine", "free"), [(GIB, 4 * GIB), (None, GIB), (GIB, None)])
def test_nothing_is_told_where_there_is_room_or_nothing_is_known(
    monkeypatch: pytest.MonkeyPatch, mine: int | None, free: int | None
) -> None:
    asked = _computer(monkeypatch, mine, free)
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        for _ in range(3):
            assert _touched(must(C.aclrtMalloc(2 * MIB, 2)), 2 * MIB) == 0
        assert len(asked) == 3
        assert not sim.findings


def test_page_locked_memory_and_kernels_count(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from ascend_sim import Block, gm, kernel

    @kernel
    def fill(b: Block, x: gm.Out[np.float32]) -> None:
        x[0 : MIB // 2] = np.ones(MIB // 2, np.float32)

    asked = _computer(monkeypatch, GIB, 4 * GIB)
    with Simulator():
        must(C.aclrtSetDevice(0))
        must(C.aclrtMallocHost(2 * MIB))
        assert len(asked) == 1
        x, stream = must(C.aclrtMalloc(2 * MIB, 2)), must(C.aclrtCreateStream())
        fill[1, stream](x)
        must(C.aclrtSynchronizeStream(stream))
        assert len(asked) == 2


def test_memory_that_was_touched_costs_no_look(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _computer(monkeypatch, GIB, 4 * GIB)
    with Simulator():
        must(C.aclrtSetDevice(0))
        x = must(C.aclrtMalloc(2 * MIB, 2))
        for _ in range(100):
            assert _touched(x, 2 * MIB) == 0
    assert len(asked) == 1


def test_an_exploration_does_not_depend_on_the_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    from ascend_sim.explore import explore

    _computer(monkeypatch, 9 * GIB, 3 * GIB)

    def program(sim: Any) -> list[str]:
        must(C.aclrtSetDevice(0))
        _touched(must(C.aclrtMalloc(2 * MIB, 2)), 2 * MIB)
        return [found.kind for found in sim.findings]

    assert "limit-close" not in str(explore(program, budget=3))


def _files(monkeypatch: pytest.MonkeyPatch, folder: Path, **texts: str) -> None:
    paths = {}
    for name, text in texts.items():
        paths[name] = str(folder / name)
        Path(paths[name]).write_text(text)
    gone = str(folder / "gone")
    monkeypatch.setattr(computer, "_available", lambda: 8 * GIB)
    monkeypatch.setattr(
        computer, "_CGROUPS", (tuple(paths.get(name, gone) for name in ("most", "used", "parts")), (gone, gone, gone))
    )


@pytest.mark.parametrize(
    ("texts", "free"),
    [
        ({"most": "max\n", "used": "5\n", "parts": ""}, 8 * GIB),
        ({"most": f"{4 * GIB}\n", "used": f"{GIB}\n", "parts": "file 7\n"}, 3 * GIB),
        ({"most": f"{4 * GIB}\n", "used": f"{GIB}\n", "parts": f"inactive_file {GIB}\n"}, 4 * GIB),
        ({"most": f"{GIB}\n", "used": f"{2 * GIB}\n", "parts": ""}, 0),
        ({"most": f"{(1 << 63) - 4096}\n", "used": "5\n", "parts": ""}, 8 * GIB),
        ({"most": "odd\n"}, 8 * GIB),
        ({}, 8 * GIB),
    ],
)
def test_the_limit_of_a_container(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: dict[str, str], free: int
) -> None:
    _files(monkeypatch, tmp_path, **texts)
    assert computer.left() == free


def test_where_the_system_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(path: str) -> str:
        raise OSError(path)

    monkeypatch.setattr(computer, "_text", refuses)
    assert computer.left() is None
    assert computer.resident() is None
    growth = Growth()
    growth.listeners.append(lambda mine, free: pytest.fail("nothing is known"))
    growth.look()


def test_this_computer() -> None:
    mine, free = computer.resident(), computer.left()
    if mine is None or free is None:
        pytest.skip("no /proc here")
    assert MIB < mine < 1 << 50
    assert 0 <= free < 1 << 50
