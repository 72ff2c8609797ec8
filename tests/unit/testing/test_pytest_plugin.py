"""The pytest plugin: every test its own simulator, findings that fail tests, schedules, and nothing for others."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.testing.pytest_options import schedule_names
from tests.kit.forks import ascend_sim

ROOT = Path(__file__).parents[3]
Pytest = Callable[..., Any]

FRESH = """
    import threading
    import time
    import unittest

    import acl
    import acl.rt
    import pytest

    from ascend_sim import ascendcl as C

    FIRST = 0xACE000001020


    def first_stream():
        assert acl.rt.set_device(0) == 0
        return acl.rt.create_stream()[0]


    @pytest.mark.ascend(devices=3, soc="Ascend310P3", limits={"stream_depth": 3}, seed=5, visible="1,2")
    def test_parameters(ascend):
        assert acl.rt.get_device_count() == (2, 0)
        assert acl.get_soc_name() == "Ascend310P3"
        assert (ascend.seed, ascend.profile.queue_depth) == (5, 3)
        assert first_stream() == FIRST


    def test_the_fixture_alone(ascend):
        assert acl.rt.get_device_count() == (1, 0)
        assert first_stream() == FIRST  # again


    @pytest.mark.ascend
    def test_the_marker_alone():
        assert first_stream() == FIRST


    def test_time_is_virtual(ascend):
        begin = time.monotonic()
        time.sleep(3600)
        assert 3600 <= time.monotonic() - begin < 3601


    @pytest.fixture
    def stream(ascend):
        return first_stream()


    def test_through_another_fixture(stream):
        assert stream == FIRST
        assert C.aclrtSynchronizeStream(stream) == 0


    @pytest.mark.ascend(devices=3)
    @pytest.mark.parametrize("n", [1, 2])
    class TestClass:
        def setup_method(self):
            assert first_stream() == FIRST

        @pytest.mark.ascend(seed=9)
        def test_method(self, ascend, n):
            assert (len(ascend.devices), ascend.seed) == (3, 9)


    @pytest.mark.ascend
    class TestCase(unittest.TestCase):
        def setUp(self):
            self.stream = first_stream()

        def test_a(self):
            self.assertEqual(self.stream, FIRST)

        def test_b(self):
            self.assertEqual(self.stream, FIRST)


    ORDERS = []


    @pytest.mark.parametrize("again", range(5))
    def test_threads_run_in_one_order(ascend, again):
        order = []

        def work(name):
            assert acl.rt.set_device(0) == 0
            stream, _ = acl.rt.create_stream()
            for _ in range(3):
                acl.rt.synchronize_stream(stream)
                order.append(name)
                time.sleep(0.001 * name)

        threads = [threading.Thread(target=work, args=(name,)) for name in (1, 2, 3)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        ORDERS.append(order)
        assert order == ORDERS[0]


    def test_a_thread_left_behind(ascend):
        gate = threading.Lock()
        gate.acquire()
        threading.Thread(target=gate.acquire).start()
        threading.Thread(target=lambda: [time.sleep(1) for _ in iter(int, 1)]).start()


    def test_none_is_left():
        assert threading.active_count() == 1
        assert time.monotonic is REAL


    REAL = time.monotonic
"""


def test_every_test_has_a_simulator_of_its_own(run_pytest: Pytest) -> None:
    outcome = run_pytest(FRESH)
    assert outcome.ended("passed") == set(outcome.tests), outcome.text
    assert len(outcome.tests) == 16
    assert outcome.code == 0


def test_the_same_in_the_processes_of_xdist(run_pytest: Pytest) -> None:
    pytest.importorskip("xdist")
    outcome = run_pytest(FRESH, "-n", "2")
    assert outcome.ended("passed") == set(outcome.tests), outcome.text


def test_the_same_inside_ascend_sim_run(run_pytest: Pytest, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(textwrap.dedent(FRESH), encoding="utf-8")
    words = ["-p", "ascend_sim_pytest", "-q", "-W", "error", "-k", "not left", "test_it.py"]
    run = ascend_sim("run", "-m", "pytest", *words, folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


FAULTY = """
    import pytest

    from ascend_sim import ascendcl as C


    def race():
        C.aclrtSetDevice(0)
        first, _ = C.aclrtCreateStream()
        second, _ = C.aclrtCreateStream()
        out, _ = C.aclrtMalloc(64, 0)
        C.aclrtMemsetAsync(out, 64, 1, 64, first)
        C.aclrtMemsetAsync(out, 64, 2, 64, second)
        C.aclrtSynchronizeDevice()


    @pytest.mark.ascend(devices=2, seed=3)
    def test_race():
        race()


    @pytest.mark.ascend
    def test_hang():
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        flag, _ = C.aclrtCreateEventWithFlag(1)
        C.aclrtStreamWaitEvent(stream, flag)
        C.aclrtSynchronizeStream(stream)


    def test_exception(ascend):
        race()
        raise RuntimeError("mine")


    @pytest.fixture
    def late(ascend):
        yield
        race()


    def test_at_the_end(late):
        pass


    @pytest.mark.ascend(allow=["race"])
    def test_allowed():
        race()


    @pytest.mark.ascend(check="none")
    def test_unchecked():
        race()


    @pytest.mark.ascend(check="races=raise")
    def test_raised():
        race()


    @pytest.mark.xfail(strict=True)
    @pytest.mark.ascend
    def test_expected():
        race()


    def test_skipped(ascend):
        pytest.skip("no")


    @pytest.mark.ascend(divices=2)
    def test_misspelt():
        pass


    @pytest.mark.ascend(soc="Ascend9999")
    def test_unknown_product():
        pass


    def test_outside():
        assert C.aclrtSetDevice(0) == 100001
"""


READS = """
    import acl
    import pytest

    pytestmark = pytest.mark.ascend


    def fetched(wait):
        acl.rt.set_device(0)
        stream, _ = acl.rt.create_stream()
        out, _ = acl.rt.malloc(64, 0)
        host, _ = acl.rt.malloc_host(64)
        acl.rt.memset(out, 64, 7, 64)
        acl.rt.memcpy_async(host, 64, out, 64, 2, stream)
        if wait:
            acl.rt.synchronize_stream(stream)
        return acl.util.ptr_to_bytes(host, 4)


    def test_ends_at_once():
        fetched(wait=False)


    def test_compares():
        assert fetched(wait=False) == bytes([7] * 4)


    def test_waits():
        assert fetched(wait=True) == bytes([7] * 4)
"""


def test_a_read_without_a_wait_is_told_of_a_test_that_ends_at_once(run_pytest: Pytest) -> None:
    outcome = run_pytest(READS)
    assert outcome.ended("error") == {"test_ends_at_once"}, outcome.text
    assert outcome.ended("failed") == {"test_compares"}  # and so does its end
    assert outcome.ended("passed") == {"test_waits"}
    for test in ("test_ends_at_once", "test_compares"):
        assert "error[race]: acl.util.ptr_to_bytes reads `host`" in outcome.section(f"at teardown of {test}")


def test_findings_fail_tests(run_pytest: Pytest) -> None:
    outcome = run_pytest(FAULTY)
    assert outcome.code == 1
    assert outcome.ended("failed") == {"test_race", "test_hang", "test_exception", "test_raised"}, outcome.text
    assert outcome.ended("error") == {"test_at_the_end", "test_misspelt", "test_unknown_product"}
    assert outcome.ended("passed") == {"test_allowed", "test_unchecked", "test_outside"}
    assert outcome.ended("xfail") == {"test_expected"}
    assert "no parameter 'divices'" in outcome.text
    race = outcome.section("test_race")
    assert "a finding of the simulator: race" in race
    assert "error[race]: a memset on `second` writes `out`" in race
    assert "test_it.py:13 in race <- test_it.py:19 in test_race\n" in race  # and no frames of pytest
    assert "simulated Ascend910B3, 2 devices, seed 3, schedule virtual-time\n" in race
    assert 'again: pytest "test_it.py::test_race" --ascend-schedules "virtual-time" --ascend-seed 3' in race
    hang = outcome.section("test_hang")
    assert "SimulatedHang: T0 (main): waits for `stream`" in hang
    assert "nobody can end it" in hang
    assert "ascend_sim/" not in hang  # no frames of the simulator
    mine = outcome.section("test_exception")
    assert "RuntimeError: mine" in mine
    assert "error[race]" in mine
    assert len(re.findall(r"error\[deadlock\]", outcome.text)) == 1  # told once


def test_options_of_the_command_line(run_pytest: Pytest) -> None:
    text = """
        import pytest
        from ascend_sim import ascendcl as C

        def test_plain(ascend):
            print("PLAIN", ascend.profile.name, ascend.seed, ascend.scheduler.schedule.name, bool(ascend.checks.races))

        @pytest.mark.ascend(soc="Ascend310P3", seed=1, check="all", schedules=3)
        def test_marked(ascend):
            print("MARKED", ascend.profile.name, ascend.seed, ascend.scheduler.schedule.name, bool(ascend.checks.races))
    """
    plain = run_pytest(text)
    assert "PLAIN Ascend910B3 0 virtual-time True" in plain.text
    assert "MARKED Ascend310P3 1 early True" in plain.text  # the last of three
    words = "--ascend-soc Ascend910_9391 --ascend-seed 7 --ascend-check memory --ascend-schedules late"
    chosen = run_pytest(text, *words.split())
    assert "PLAIN Ascend910_9391 7 late False" in chosen.text
    assert "MARKED Ascend310P3 7 late True" in chosen.text
    assert "ascend_sim: seed 7" in chosen.text
    drawn = run_pytest(text, "--ascend-seed", "random", variables={"ASCEND_SIM_SOC": "Ascend310P3"})
    (seed,) = re.findall(r"ascend_sim: seed (\d+)", drawn.text)
    assert f"PLAIN Ascend310P3 {seed} virtual-time True" in drawn.text
    wrong = run_pytest(text, "--ascend-schedules", "sometimes")
    assert "unknown schedule 'sometimes'" in wrong.text
    assert wrong.ended("error") == {"test_plain", "test_marked"}


SCHEDULES = """
    import unittest

    import pytest

    from ascend_sim import ascendcl as C

    RUNS = []


    @pytest.fixture(scope="module")
    def module():
        RUNS.append("module up")
        yield
        RUNS.append("module down")


    @pytest.fixture
    def function(ascend):
        RUNS.append("up")
        yield
        RUNS.append("down")


    @pytest.mark.ascend(schedules=6)
    def test_six(module, function, ascend, tmp_path):
        assert not list(tmp_path.iterdir())
        (tmp_path / "x").touch()
        RUNS.append(ascend.scheduler.schedule.name)


    def test_what_six_did(module):
        middle = [["up", name, "down"] for name in ["virtual-time", "late", "early", "random", "random", "random"]]
        assert RUNS == ["module up", *sum(middle, [])]


    @pytest.mark.ascend(schedules=40)
    def test_order(module):
        C.aclrtSetDevice(0)
        first, _ = C.aclrtCreateStream()
        second, _ = C.aclrtCreateStream()
        event, _ = C.aclrtCreateEvent()
        other, _ = C.aclrtCreateEvent()
        C.aclrtRecordEvent(event, first)
        C.aclrtRecordEvent(other, second)
        C.aclrtStreamQuery(second)
        done = C.aclrtQueryEventStatus(event)[0], C.aclrtQueryEventStatus(other)[0]
        assert done != (0, 1)


    @pytest.mark.xfail
    @pytest.mark.ascend(schedules=40)
    def test_expected():
        test_order.__wrapped__(None) if hasattr(test_order, "__wrapped__") else test_order(None)


    @pytest.mark.ascend(schedules=3)
    class TestUnit(unittest.TestCase):
        def test_unit(self):
            RUNS.append("unit")


    @pytest.fixture(scope="module")
    def broken():
        yield
        raise RuntimeError("broken at the end")


    @pytest.mark.ascend(schedules=30)
    def test_the_end_of_the_module(broken, ascend):
        assert ascend.scheduler.schedule.name != "late"
"""


def test_a_test_runs_under_many_schedules_and_fails_once(run_pytest: Pytest) -> None:
    outcome = run_pytest(SCHEDULES)
    assert outcome.ended("passed") == {"test_six", "test_what_six_did", "TestUnit::test_unit"}, outcome.text
    assert outcome.ended("failed") == {"test_order", "test_the_end_of_the_module"}
    assert outcome.ended("xfail") == {"test_expected"}
    assert "broken at the end" in outcome.text
    section = outcome.section("test_order")
    (schedule,) = re.findall(r"schedule (random\(\d+\)) \(\d+ of 40\)", section)
    (again,) = re.findall(r"again: pytest (.*)", section)
    assert again == f'"test_it.py::test_order" --ascend-schedules "{schedule}" --ascend-seed 0'
    repeated = run_pytest(SCHEDULES, "test_it.py::test_order", "--ascend-schedules", schedule, "--ascend-seed", "0")
    assert repeated.ended("failed") == {"test_order"}
    assert f"schedule {schedule}\n" in repeated.section("test_order")


def test_a_run_that_does_not_use_it_imports_nothing(run_pytest: Pytest) -> None:
    text = """
        import sys

        def test_plain():
            rooms = {name.partition(".")[0] for name in sys.modules}
            assert not {"numpy", "ascend_sim", "attrs", "acl"} & rooms
    """
    outcome = run_pytest(text, fresh=True)
    assert outcome.ended("passed") == {"test_plain"}, outcome.text


USES = """
    def test_uses(ascend):
        pass
"""


def test_a_real_acl_is_not_hidden_and_not_used(run_pytest: Pytest, tmp_path: Path) -> None:
    (tmp_path / f"acl{EXTENSION_SUFFIXES[0]}").touch()
    refused = run_pytest(USES)
    assert refused.ended("error") == {"test_uses"}
    assert "a real `acl` is installed here" in refused.text
    text = USES + "        import acl\n        assert acl.rt.get_device_count() == (1, 0)\n"
    shadowed = run_pytest(text, variables={"ASCEND_SIM_SHADOW_REAL_ACL": "1"})
    assert shadowed.ended("passed") == {"test_uses"}, shadowed.text


def test_another_acl_of_the_project_is_told(run_pytest: Pytest) -> None:
    before = run_pytest("import acl\n" + USES.replace("\n    ", "\n"), acl="rt = None\n")
    assert before.ended("error") == {"test_uses"}
    assert "has imported another `acl`" in before.text
    within = run_pytest(USES + "        import acl\n", acl="rt = None\n")
    assert within.ended("failed") == {"test_uses"}
    assert "would not reach the simulator" in within.text


PROPERTIES = """
    import pytest
    from hypothesis import given, settings
    from hypothesis import strategies as st

    from ascend_sim import ascendcl as C

    EXACT = settings(database=None, derandomize=True)


    @EXACT
    @given(n=st.integers(0, 5), m=st.integers(0, 100))
    @pytest.mark.ascend
    def test_finding(n, m):
        assert C.aclrtSetDevice(0) == 0
        first, _ = C.aclrtCreateStream()
        second, _ = C.aclrtCreateStream()
        assert first == 0xACE000001020
        out, _ = C.aclrtMalloc(64, 0)
        if n > 2 and m > 10:
            C.aclrtMemsetAsync(out, 64, 1, 64, first)
            C.aclrtMemsetAsync(out, 64, 2, 64, second)
        C.aclrtSynchronizeDevice()


    @EXACT
    @given(n=st.integers(0, 100))
    @pytest.mark.ascend
    def test_hang(n):
        C.aclrtSetDevice(0)
        flag, _ = C.aclrtCreateEventWithFlag(1)
        if n > 10:
            C.aclrtStreamWaitEvent(0, flag)
        C.aclrtSynchronizeStream(0)


    @pytest.fixture
    def device(ascend):
        assert C.aclrtSetDevice(0) == 0


    @EXACT
    @given(n=st.integers(0, 5))
    @pytest.mark.usefixtures("device")
    def test_what_fixtures_prepared_stays(n):
        assert C.aclrtGetDevice() == (0, 0)
"""


def test_examples_of_a_property_are_made_small_by_their_findings(run_pytest: Pytest) -> None:
    outcome = run_pytest(PROPERTIES)
    assert outcome.ended("passed") == {"test_what_fixtures_prepared_stays"}, outcome.text
    assert re.search(r"test_finding\(\s*n=3,\s*m=11,?\s*\)", outcome.section("test_finding")), outcome.text
    assert re.search(r"test_hang\(\s*n=11,?\s*\)", outcome.section("test_hang"))
    assert "error[deadlock]" in outcome.section("test_hang")


FAULTS = """
    import pytest

    from ascend_sim import ascendcl as C


    @pytest.mark.ascend(faults="aclrtMalloc:2=207001,copy:1=5ms")
    def test_marker(ascend):
        C.aclrtSetDevice(0)
        assert [C.aclrtMalloc(64, 0)[1] for _ in range(3)] == [0, 207001, 0]
        assert len(ascend.injected.log) == 1


    @pytest.mark.ascend(faults=["aclrtMalloc:2"])
    def test_told_when_it_fails():
        C.aclrtSetDevice(0)
        assert [C.aclrtMalloc(64, 0)[1] for _ in range(3)] == [0, 0, 0]


    @pytest.mark.ascend(faults="aclrtMaloc")
    def test_misspelt():
        pass
"""


def test_faults_of_the_marker(run_pytest: Pytest) -> None:
    outcome = run_pytest(FAULTS)
    assert outcome.ended("passed") == {"test_marker"}, outcome.text
    assert "note[injected-fault]: aclrtMalloc fails as planned" in outcome.section("test_told_when_it_fails")
    assert "did you mean aclrtMalloc?" in outcome.text


def test_the_entry_point_has_the_name_of_the_module() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nascend_sim_pytest = "ascend_sim_pytest"\n' in text
    assert 'py-modules = ["ascend_sim_pytest"]' in text


@pytest.mark.parametrize("wanted", ["10001", 10_001, "9" * 5000])
def test_so_many_schedules_are_refused(wanted: Any) -> None:
    with pytest.raises(ValueError, match="schedules is more than 10,000"):
        schedule_names(wanted, 0)


def test_the_most_schedules() -> None:
    assert len(set(schedule_names("10000", 0))) == 10_000
