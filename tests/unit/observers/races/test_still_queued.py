"""What the program touched while tasks were queued that never ran, since the program ended first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.pyacl import modules
from tests.kit.calls import must

H2D, D2H, D2D = 1, 2, 3
acl = modules()["acl"]


class Scene:
    """Two streams, memory of the host and of the device that all is written, and a copy of each direction to queue."""

    def __init__(self) -> None:
        must(C.aclrtSetDevice(0))
        self.s, self.other = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
        self.host, self.device = must(C.aclrtMallocHost(64)), must(C.aclrtMalloc(64, 0))
        must(C.aclrtMemset(self.device, 64, 1, 64))

    def fetch(self, stream: int) -> None:
        must(C.aclrtMemcpyAsync(self.host, 64, self.device, 64, D2H, stream))

    def read(self, lo: int = 0) -> bytes:
        return bytes(acl.util.ptr_to_bytes(self.host + lo, 8))


def too_early(a: Scene) -> None:
    a.fetch(a.s)
    a.read()


def filled_again(a: Scene) -> None:
    must(C.aclrtMemcpyAsync(a.device, 64, a.host, 64, H2D, a.s))
    must(C.aclrtMemset(a.host, 64, 2, 64))


def behind_a_record(a: Scene) -> None:
    event = must(C.aclrtCreateEvent())
    must(C.aclrtRecordEvent(event, a.s))
    must(C.aclrtStreamWaitEvent(a.other, event))
    a.fetch(a.other)
    a.read()


def dropped(a: Scene) -> None:
    a.fetch(a.s)
    a.read()
    must(C.aclrtDestroyStreamForce(a.s))


def finalised(a: Scene) -> None:
    must(C.aclInit(None))
    a.fetch(a.s)
    a.read()
    must(C.aclFinalize())


def read_first(a: Scene) -> None:
    a.read()
    a.fetch(a.s)


def awaited(a: Scene) -> None:
    a.fetch(a.s)
    must(C.aclrtSynchronizeStream(a.s))
    a.read()


def only_read(a: Scene) -> None:
    must(C.aclrtMemcpyAsync(a.device, 64, a.host, 64, H2D, a.s))
    a.read()


def other_bytes(a: Scene) -> None:
    must(C.aclrtMemcpyAsync(a.host, 32, a.device, 32, D2H, a.s))
    a.read(32)


def behind_a_notify_of_the_reader(a: Scene) -> None:
    """The copy waits for a record that comes after the read: nothing is wrong, though nobody waits for the copy."""
    notify = must(C.aclrtCreateNotify(0))
    must(C.aclrtWaitAndResetNotify(notify, a.s, 0))
    a.fetch(a.s)
    a.read()
    must(C.aclrtRecordNotify(notify, a.other))


def behind_an_event_behind_a_notify(a: Scene) -> None:
    notify, event = must(C.aclrtCreateNotify(0)), must(C.aclrtCreateEvent())
    must(C.aclrtWaitAndResetNotify(notify, a.s, 0))
    must(C.aclrtRecordEvent(event, a.s))
    must(C.aclrtStreamWaitEvent(a.other, event))
    a.fetch(a.other)
    a.read()
    must(C.aclrtRecordNotify(notify, None))


RACES = [too_early, filled_again, behind_a_record, dropped, finalised]
CLEAN = [read_first, awaited, only_read, other_bytes, behind_a_notify_of_the_reader, behind_an_event_behind_a_notify]


def kinds(does: Callable[[Scene], Any]) -> list[str]:
    with Simulator(checks="races") as sim:
        does(Scene())
    return [finding.kind for finding in sim.findings]


@pytest.mark.parametrize("does", RACES)
def test_a_race_with_a_task_that_never_ran_is_told(does: Callable[[Scene], Any]) -> None:
    assert kinds(does) == ["race"]


@pytest.mark.parametrize("does", CLEAN)
def test_what_is_in_order_is_no_race(does: Callable[[Scene], Any]) -> None:
    assert kinds(does) == []


def test_the_read_stands_first_and_what_to_do_is_said() -> None:
    with Simulator(checks="races") as sim:
        too_early(Scene())
    (found,) = sim.findings
    assert "reads `self.host`" in found.title and "may still be writing it" in found.title
    assert found.fix.startswith("before line ") and "synchronize_stream" in found.fix


def test_one_that_did_run_is_told_once() -> None:
    with Simulator(checks="races") as sim:
        scene = Scene()
        too_early(scene)
        must(C.aclrtSynchronizeStream(scene.s))
    assert [(finding.kind, finding.count) for finding in sim.findings] == [("race", 1)]


def test_a_matrix_has_its_rows() -> None:
    """Its history is kept in rows."""
    for row, kind in ((0, ["race"]), (4, [])):
        with Simulator(checks="races") as sim:
            a = Scene()
            must(C.aclrtMemcpy2d(a.device, 16, a.host, 16, 8, 4, H2D))
            must(C.aclrtMemcpyAsync(a.host, 16, a.device, 16, D2H, a.s))
            a.read(row * 8)
        assert [finding.kind for finding in sim.findings] == kind
