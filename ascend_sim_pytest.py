"""What pytest loads of ascend_sim in every run: the fixture ``ascend``, the marker, the options, and ``acl``.

A top-level module that imports neither numpy nor the simulator before a test wants it. ``ascend_sim.testing`` has the
rest. PYTEST_DONT_REWRITE: there are no assertions here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import pytest

__all__ = ["ascend", "ascend_torch"]

MARKER = (
    "ascend(devices, soc, schedules, seed, check, threads, limits, faults, allow, ...): run the test on a simulated "
    "Ascend NPU of its own; the parameters are those of ascend_sim.Simulator, schedules=50 runs it under 50 schedules, "
    "faults='aclrtMalloc:3=207001' lets the third call fail, "
    "allow=('leak',) accepts findings of these kinds"
)


class _Acl:
    """Offers the simulator's ``acl`` to whoever finds no other. Finder and loader."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """The spec of ``acl``; its namespaces come with it."""
        if name != "acl":
            return None
        return ModuleSpec(name, self, origin="ascend_sim", is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module of the simulator."""
        from ascend_sim.pyacl import modules

        return modules()["acl"]

    def exec_module(self, module: ModuleType) -> None:
        """Put ``acl.rt`` and its sisters beside it."""
        from ascend_sim.pyacl import put_into

        put_into(sys.modules)


_FINDER = _Acl()
_SENT = pytest.StashKey[list[tuple[str, Any]]]()
"""What the processes of xdist have counted."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Options of the command line."""
    # pytest rewrites the assertions of all packages that come with a plugin: without a cache that costs seconds.
    marked = getattr(getattr(pluginmanager, "rewrite_hook", None), "_must_rewrite", None)
    if isinstance(marked, set):
        marked.difference_update({"ascend_sim", "ascend_sim_pytest"})
    group = parser.getgroup("ascend", "tests on a simulated Ascend NPU (ascend_sim)")
    group.addoption("--ascend-soc", metavar="NAME", help="the product to simulate where a test names none")
    group.addoption(
        "--ascend-schedules", metavar="N", help="run each test under N schedules, or under those named: "
        "virtual-time,late,early,random(7). Beats what tests say",
    )
    group.addoption(
        "--ascend-seed", metavar="N", help="the one source of randomness, or `random` for a new one. Beats what tests say"
    )
    group.addoption(
        "--ascend-check", metavar="NAMES", help="who looks for faults where a test does not say: "
        "memory,races,rules (default), all (codes, too), none; races=off leaves one out, races=raise stops at the call",
    )
    group.addoption(
        "--ascend-skip-frames", metavar="PATTERN", action="append", help="reports show the caller of functions whose file, "
        "name or FILE:FUNCTION the glob fits"
    )
    group.addoption(
        "--ascend-error-on", metavar="LEVEL", action="append", help="what fails a test besides error findings: warning, "
        "note, or a kind such as leak; several with commas between"
    )
    group.addoption(
        "--ascend-baseline", metavar="FILE", help="findings that FILE has fail no test: only new ones do"
    )
    group.addoption(
        "--ascend-update-baseline", action="store_true", help="write what the tests find to the file of --ascend-baseline, "
        "and fail for none of it; tests that do not run keep what they have there"
    )
    group.addoption(
        "--ascend-torch", action="store_true", help="let `import torch` find simulated devices (torch_npu): one simulator "
        "for all tests, with ASCEND_SIM_DEVICES devices; a test fails of the error findings that it makes",
    )
    group.addoption(
        "--ascend-replay", metavar="FILE", help="run one test again, under the schedule that a failure report names"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker, offer ``acl``, draw a seed when one is wanted."""
    config.addinivalue_line("markers", MARKER)
    if config.option.ascend_skip_frames:
        known = os.environ.get("ASCEND_SIM_SKIP_FRAMES", "")
        os.environ["ASCEND_SIM_SKIP_FRAMES"] = "\n".join([*config.option.ascend_skip_frames, known])
    if config.option.ascend_seed == "random":  # drawn once; the processes of xdist get it from here
        config.option.ascend_seed = str(int.from_bytes(os.urandom(3), "little"))
    if config.option.ascend_torch:
        from ascend_sim.testing.pytest_torch import JudgeEachTest, begin

        config.pluginmanager.register(JudgeEachTest(begin(config)), "ascend_sim_torch")
    if _FINDER not in sys.meta_path:
        first = bool(os.environ.get("ASCEND_SIM_SHADOW_REAL_ACL"))
        sys.meta_path.insert(0 if first else len(sys.meta_path), _FINDER)


def pytest_unconfigure() -> None:
    """Take ``acl`` back."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)


def pytest_report_header(config: pytest.Config) -> str | None:
    """The seed, when the command line chose it."""
    seed = config.option.ascend_seed
    return f"ascend_sim: seed {seed}" if seed is not None else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each test with the marker the fixture, before its other fixtures."""
    if config.option.ascend_replay is not None:
        from ascend_sim.testing.recorded_tests import choose

        choose(config, items)
    used = False
    for item in items:
        names: list[str] | None = getattr(item, "fixturenames", None)
        if names is None:
            continue
        if "ascend" in names:
            names.remove("ascend")
        elif "ascend" not in item.keywords or item.get_closest_marker("ascend") is None:
            continue
        names.insert(0, "ascend")
        used = True
    if used and not config.pluginmanager.has_plugin("ascend_sim_tests"):
        from ascend_sim.testing import pytest_hooks
        from ascend_sim.testing.baselines import session_findings

        session_findings(config)  # a wrong option is told before the first test

        config.pluginmanager.register(pytest_hooks, "ascend_sim_tests")


def _counted() -> dict[str, Any]:
    """What the state machines of this process have reached; nothing when there are none."""
    machines = sys.modules.get("ascend_sim.testing.runtime_machine")
    return {} if machines is None else {name: found.to_json() for name, found in machines.counted().items()}


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of xdist sends what its state machines have reached."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["ascend_reached"] = _counted()
        if session.config.option.ascend_update_baseline:
            from ascend_sim.testing.baselines import session_findings

            output["ascend_found"] = session_findings(session.config).sent()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """It arrives here."""
    sent = getattr(node, "workeroutput", {}).get("ascend_reached", {})
    node.config.stash.setdefault(_SENT, []).extend(sent.items())
    found = getattr(node, "workeroutput", {}).get("ascend_found")
    if found is not None:
        from ascend_sim.testing.baselines import session_findings

        session_findings(node.config).receive(found)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Write the baseline, say which states the state machines have reached."""
    if config.option.ascend_update_baseline:
        from ascend_sim.testing.baselines import session_findings

        terminalreporter.write_line(session_findings(config).write())
    sent = [*config.stash.get(_SENT, ()), *_counted().items()]
    if not sent:
        return
    from ascend_sim.testing.state_coverage import StateCoverage

    merged: dict[str, StateCoverage] = {}
    for name, more in sent:
        merged.setdefault(name, StateCoverage()).add(more)
    terminalreporter.section("ascend_sim: what the state machines reached")
    for name, found in merged.items():
        terminalreporter.write_line(found.table(name))


@pytest.fixture
def ascend(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The ascend_sim.Simulator of this test: fresh, with handles and ids from the start, closed at its end.

    `import acl` and `from ascend_sim import ascendcl` work with it. Error findings fail the test.
    """
    from ascend_sim.testing.pytest_simulators import simulator

    yield from simulator(request)


@pytest.fixture
def ascend_torch(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The ascend_sim.Simulator on whose devices torch_npu runs: one for all tests of the process.

    ``import torch`` comes after it, in the test or behind ``--ascend-torch``. Error findings fail the test.
    """
    from ascend_sim.testing.pytest_torch import begin, fresh_errors, judge

    sim = begin(request.config)
    before = len(sim.findings)
    yield sim
    if not request.config.option.ascend_torch:  # else each test is judged anyway
        judge(fresh_errors(sim, before))
