"""`process:N` and `dask:ADDRESS`: the report is that of one machine, and a process that dies costs only its share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from ascend_sim import explore
from ascend_sim.cli import explore as command
from ascend_sim.explore import executors
from ascend_sim.explore.executors import chosen_executor
from ascend_sim.explore.parallel import ATTEMPTS, WorkerLost
from ascend_sim.explore.programs import Script, provide_acl
from ascend_sim.explore.runs import Runner
from tests.kit.forks import HANG, ROOT

PROGRAM = """\
import os
import signal

import acl

acl.rt.set_device(0)
streams = [acl.rt.create_stream()[0] for _ in range(4)]
x, _ = acl.rt.malloc(64, 0)
for value, stream in enumerate(streams):
    acl.rt.memset_async(x, 64, value, 64, stream)
acl.rt.synchronize_device()
print(acl.rt.get_device_count())
"""

DIES = """\
if os.getpid() != PARENT and not os.path.exists(MARK):
    open(MARK, "w").close()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[[str], Script]]:
    """`program(more)`: the file with more lines at its end."""
    known = {name: module for name, module in sys.modules.items() if name == "acl" or name.startswith("acl.")}
    provide_acl()

    def write(more: str = "") -> Script:
        (tmp_path / "p.py").write_text(PROGRAM + more)
        return Script(str(tmp_path / "p.py"))

    yield write
    for name in [name for name in sys.modules if name == "acl" or name.startswith("acl.")]:
        del sys.modules[name]
    sys.modules.update(known)


def _found(script: Any, executor: Executor | None) -> Any:
    report = explore(script, budget=None, progress=False, executor=executor, bound=None)
    failures = sorted((f.kind, f.count, f.title) for f in report.failures)
    return report, (
        report.exhausted,
        report.classes,
        failures,
        sorted((r.count, r.outcome.text()) for r in report.outcomes),
    )


class Inline(Executor):
    """Runs a batch at once; each for which *dies* says so is lost. Pickles as a real one would."""

    def __init__(self, dies: Callable[[int, Any], bool]) -> None:
        self.dies = dies
        self.sent = 0
        self.lost = 0

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.sent += 1
        if self.dies(self.sent, given[0]):
            self.lost += 1
            future.set_exception(WorkerLost("killed"))
        else:
            future.set_result(function(*given))
        return future


def test_a_batch_whose_worker_dies_is_handed_out_again(program: Callable[[str], Script]) -> None:
    _, alone = _found(program(""), None)
    executor = Inline(lambda number, batch: number % 2 == 1)
    report, found = _found(program(""), executor)
    assert executor.lost and not report.lost
    assert found == alone
    assert found[0] and found[1] == 24


def test_what_kills_every_worker_is_lost_and_told(program: Callable[[str], Script]) -> None:
    first: list[Any] = []

    def dies(number: int, batch: Any) -> bool:
        first.append(batch)
        return batch is first[0]

    executor = Inline(dies)
    report, (exhausted, classes, failures, _) = _found(program(""), executor)
    assert executor.lost == ATTEMPTS
    assert report.lost and not exhausted and classes < 24 and failures
    assert "lost: the processes that ran them died" in report.text()


@pytest.mark.slow
def test_processes_find_what_one_finds_though_one_is_killed(program: Callable[[str], Script], tmp_path: Path) -> None:
    _, alone = _found(program(""), None)
    dying = DIES.replace("PARENT", str(os.getpid())).replace("MARK", repr(str(tmp_path / "died")))
    with chosen_executor("process:2") as executor:
        report, found = _found(program(dying), executor)
    assert (tmp_path / "died").exists()  # one was killed
    assert not report.lost and found == alone


def test_a_process_that_starts_while_the_search_ends_is_not_left(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go, ended = Event(), Event(), []

    class Starting:
        def __init__(self, *given: Any) -> None:
            begun.set()
            go.wait()

        def end(self) -> None:
            ended.append(self)

    class Nothing:
        def work(self) -> tuple[str, ...]:
            return ("work",)

        def without_work(self) -> Nothing:
            return self

    monkeypatch.setattr(executors, "Child", Starting)
    executor = executors.LocalProcesses(1)
    future = executor.submit(print, Nothing())
    begun.wait()
    executor.shutdown(wait=False)
    go.set()
    with pytest.raises(WorkerLost):
        future.result()
    assert len(ended) == 1


class Unloadable(Script):
    """A program that no other process can load."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        raise ValueError("not here")


@pytest.mark.slow
def test_a_program_that_a_worker_cannot_load_is_told(program: Callable[[str], Script]) -> None:
    script = Unloadable(program("").path)
    with chosen_executor("process:1") as executor, pytest.raises(RuntimeError, match="cannot load the program"):
        _found(script, executor)


@pytest.mark.parametrize("text", ["process:0", "process:x", "process:9999", "thread:2", "dask:", "process", ""])
def test_an_executor_that_is_none_is_told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="process:N"), chosen_executor(text):
        pass


def test_the_command_takes_an_executor() -> None:
    assert command.parser().parse_args(["--executor", "process:3"]).executor == "process:3"


ON_DASK = """\
import json
import os
import sys

import distributed
from ascend_sim import explore
from ascend_sim.explore.executors import chosen_executor
from ascend_sim.explore.programs import Script, provide_acl
from ascend_sim.explore.runs import Runner


def found(path, executor):
    report = explore(Script(path), budget=None, progress=False, executor=executor, bound=None)
    failures = sorted((f.kind, f.count, f.title) for f in report.failures)
    outcomes = sorted((r.count, r.outcome.text()) for r in report.outcomes)
    assert not report.lost
    print(json.dumps([report.exhausted, report.classes, failures, outcomes]), flush=True)


if __name__ == "__main__":
    os.environ["PARENT"] = str(os.getpid())
    provide_acl()
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=sys.argv[1]
    ) as cluster:
        with chosen_executor(f"dask:{cluster.scheduler_address}") as executor:
            found(sys.argv[2], executor)
        with distributed.Client(cluster) as client:
            client.run(provide_acl)
            found(sys.argv[3], client.get_executor())
"""


@pytest.mark.slow
def test_a_cluster_of_dask_finds_what_one_machine_finds(program: Callable[[str], Script], tmp_path: Path) -> None:
    """By `dask:ADDRESS`, where a worker is killed, and by the executor of a client.

    In a process of its own: dask leaves threads behind, and a search that meets a hang would wait for them.
    """
    pytest.importorskip("distributed")
    _, alone = _found(program(""), None)
    mark, dying, small, driver = (tmp_path / name for name in ("died", "dying.py", "small.py", "driver.py"))
    dying.write_text(PROGRAM + DIES.replace("PARENT", 'int(os.environ["PARENT"])').replace("MARK", repr(str(mark))))
    small.write_text(PROGRAM.replace("range(4)", "range(3)"))
    driver.write_text(ON_DASK)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(driver), str(tmp_path / "dask"), str(dying), str(small)],
        stdout=subprocess.PIPE, text=True, timeout=HANG, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    first, second = map(json.loads, done.stdout.splitlines()[-2:])
    assert mark.exists()  # one was killed
    assert first == json.loads(json.dumps(alone))
    assert second == json.loads(json.dumps(_found(Script(str(small)), None)[1]))


INTERRUPTS = """\
host, _ = acl.rt.malloc_host(64)
acl.rt.memcpy(host, 64, x, 64, 2)
if acl.util.ptr_to_bytes(host, 1) != b"\\x03":  # as the search has it that hands out the work
    acl.rt.free(16)
    os.kill(PARENT, signal.SIGINT)
    while True:
        pass
"""


def test_after_an_interrupt_the_findings_of_workers_are_taken_in(program: Any) -> None:
    script = program(INTERRUPTS.replace("PARENT", str(os.getpid())))
    with chosen_executor("process:2") as executor:
        report = explore(script, budget=HANG, executor=executor, checks="memory", progress=False)
    assert report.interrupted
    found = [finding.kind for finding in report.met] + [failure.kind for failure in report.failures]
    assert "bad-free" in found
    assert report.pending


def test_a_worker_without_a_mark_goes_on(tmp_path: Path) -> None:
    runner = Runner(print, {})
    runner.mark = str(tmp_path / "mark")
    assert not runner.ended()
    Path(runner.mark).touch()
    assert runner.ended()
