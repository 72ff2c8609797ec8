"""At a prompt and in notebooks: objects show themselves, findings come when they are found, cells have their simulator."""

from __future__ import annotations

import atexit
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator, current, explore, gm, install, kernel
from ascend_sim import ascendcl as C
from ascend_sim.findings.finding import ByteMap, ByteRange, Finding, Frame, Site
from ascend_sim.findings.html import finding_html, findings_html
from tests.kit import forks


class Tags(HTMLParser):
    """The text of a page; tags that are not closed are an error."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _text(page: str) -> str:
    found = Tags()
    found.feed(page)
    found.close()
    assert not found.open
    return found.text


def _race() -> Simulator:
    with Simulator(checks="races") as sim:
        C.aclrtSetDevice(0)
        (left, _), (right, _), (total, _) = C.aclrtCreateStream(), C.aclrtCreateStream(), C.aclrtMalloc(64, 0)
        C.aclrtMemsetAsync(total, 32, 1, 32, left)
        C.aclrtMemsetAsync(total, 64, 2, 64, right)
        C.aclrtSynchronizeDevice()
    return sim


@kernel
def scale(x: gm.InOut[np.float32], n: np.int32) -> None:
    """A kernel."""
    x[:n] = x[:n] * 2


def test_everything_has_a_line_and_a_page() -> None:
    sim = _race()
    (finding,) = sim.findings
    assert re.fullmatch(r"<F1 error\[race\] test_notebook\.py:\d+: a memset on `right` writes .*>", repr(finding))
    assert repr(sim.findings) == "<FindingLog: 1 error>"
    page = _text(finding._repr_html_())
    assert "C.aclrtMemsetAsync(total, 64, 2, 64, right)" in page  # the source line
    assert "[0, 32)" in page and "[0, 64)" in page  # the bytes
    assert "record on `left`" in page
    assert _text(sim.findings._repr_html_()) == page

    def race() -> None:
        C.aclrtSetDevice(0)
        (left, _), (right, _), (total, _) = C.aclrtCreateStream(), C.aclrtCreateStream(), C.aclrtMalloc(64, 0)
        C.aclrtMemsetAsync(total, 64, 1, 64, left)
        C.aclrtMemsetAsync(total, 64, 2, 64, right)
        C.aclrtSynchronizeDevice()

    report = explore(race, progress=False)
    assert repr(report) == f"<Report: {report.runs} runs, exhausted, 1 failures (race)>"
    assert "exhausted: 2 classes" in _text(report._repr_html_())
    with Simulator() as fresh:
        assert repr(fresh.findings) == "<FindingLog: no findings>" and "no findings" in fresh.findings._repr_html_()
        C.aclrtSetDevice(0)
        handle, _ = C.aclrtCreateStream()
        address, _ = C.aclrtMalloc(64, 0)
        C.aclrtMemsetAsync(address, 64, 0, 64, handle)
        stream = fresh.handles[handle]
        assert repr(stream) == f"<{stream.describe()} of device 0: 1 task queued>"
        assert "task 1set" in _text(stream._repr_html_())
        assert repr(fresh.devices[0]) == "<device 0: Ascend910B3, up, 2 streams>"
        assert "Ascend910B3" in _text(fresh.devices[0]._repr_html_())
        C.aclrtSynchronizeStream(handle)
    assert repr(scale).startswith("<kernel scale (")
    assert "x[:n] = x[:n] * 2" in _text(scale._repr_html_())


def test_nothing_in_a_finding_is_markup() -> None:
    wild = "<script>alert('x')</script>\x1b[31m\ud800&"
    frame = Frame(f"/{wild}.py", 3, 0, 4, wild)
    finding = Finding(
        "F1", wild, "error", wild, [Site("access", wild, primary=True, resolved=[frame]), Site("alloc", wild)],
        bytes=ByteMap(wild, 8, [ByteRange(wild, 0, 4)]), order=wild, fix=f"{wild}\n{wild}", notes=[wild], followers=[wild],
    )  # fmt: skip
    for page in (finding_html(finding), findings_html([finding, Finding("F2", wild, wild, wild, cause=wild)])):
        assert "<script" not in page and "\x1b" not in page and "\ud800" not in page
        assert "alert" in _text(page)
        page.encode()
    assert "\n" not in repr(finding)


def test_many_findings_are_titles() -> None:
    found = [Finding(f"F{n}", "leak", "warning", f"object {n}") for n in range(40)]
    page = _text(findings_html(found))
    assert all(f"object {n}" in page for n in range(40))


# -- install() -------------------------------------------------------------------------------------------------------


@pytest.fixture
def session() -> Iterator[None]:
    known = {name: module for name, module in sys.modules.items() if name == "acl" or name.startswith("acl.")}
    yield
    sim = current()
    if sim is not None:
        sim.close()
    for name in [name for name in sys.modules if name == "acl" or name.startswith("acl.")]:
        del sys.modules[name]
    sys.modules.update(known)


@pytest.mark.usefixtures("session")
def test_other_options_for_what_is_installed_are_told() -> None:
    sim = install(devices=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert install() is install(devices=2) is sim
    with pytest.warns(RuntimeWarning, match="keeps its options: close"):
        assert install(devices=3) is sim
    sim.close()
    assert len(install(devices=3).devices) == 3


@pytest.mark.usefixtures("session")
def test_findings_appear_as_they_happen_once_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert install() is install()
    import acl

    acl.rt.set_device(0)
    address, _ = acl.rt.malloc(64, 0)
    acl.rt.free(address)
    assert capsys.readouterr().err == ""
    for _ in range(3):
        acl.rt.free(address)
    shown = capsys.readouterr().err
    assert shown.count("error[double-free]") == 1


SCRIPT = """
import sys
from ascend_sim import install
install()
import acl
acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
out, _ = acl.rt.malloc(64, 0)
host, _ = acl.rt.malloc_host(64)
acl.rt.memset(out, 64, 7, 64)
acl.rt.memcpy_async(host, 64, out, 64, 2, stream)
if "wait" in sys.argv:
    acl.rt.synchronize_stream(stream)
acl.util.ptr_to_bytes(host, 4)
"""


@pytest.mark.parametrize("words, told", [([], ["race"]), (["wait"], [])])
def test_what_was_read_too_early_is_told_when_the_process_ends(words: list[str], told: list[str]) -> None:
    command = [sys.executable, "-c", SCRIPT, *words]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=forks.HANG, check=True)
    assert re.findall(r"^\w+\[([\w-]+)\]", done.stderr, re.MULTILINE) == told


# -- IPython ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def shell(session: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    config = pytest.importorskip("traitlets.config").Config()
    config.HistoryManager.enabled = False
    interactive.InteractiveShell.clear_instance()
    main = sys.modules["__main__"]  # the shell puts its own module there
    made = interactive.InteractiveShell.instance(config=config)
    made.run_line_magic("load_ext", "ascend_sim")
    yield made
    made.run_line_magic("unload_ext", "ascend_sim")
    made.atexit_operations()
    atexit.unregister(made.atexit_operations)  # a second time it fails, on the last lines of the suite
    interactive.InteractiveShell.clear_instance()
    sys.modules["__main__"] = main


CELL = """\
import acl
acl.rt.set_device(0)
address, _ = acl.rt.malloc(64, 0)
acl.rt.free(address)
acl.rt.free(address)
"""


def test_a_cell_runs_on_a_fresh_simulator(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):  # as fresh the second time
        shell.run_cell(f"%%ascend --devices 2\n{CELL}print(acl.rt.get_device_count())")
        shown = capsys.readouterr().out
        assert shown.startswith("(2, 0)\n")
        assert shown.count("error[double-free]: ") == 1 and "acl.rt.free(address)" in shown
        assert "dev 0" in shown or "device 0" in shown or "host" in shown  # the timeline
    assert current() is None
    shell.run_cell("%%ascend --no-timeline\nx = 1")
    assert capsys.readouterr().out.strip() == "ascend-sim: no findings"
    assert shell.user_ns["x"] == 1


def test_the_page_of_a_cell(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    shell.run_cell(f"%%ascend\n{CELL}")
    (result,) = shown
    page = result._repr_html_()
    assert "double-free" in page and "acl.rt.free(address)" in _text(page)
    assert "<iframe srcdoc='&lt;!" in page


@pytest.mark.parametrize(
    ("words", "said"), [("--devcies 2", "--devcies"), ("--devices 99", "1 to 64"), ("--soc X", "X"), ("'", "quotation")]
)
def test_wrong_options_are_told(words: str, said: str, shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(f"%%ascend {words}\nran = True")
    assert said in capsys.readouterr().err
    assert "ran" not in shell.user_ns


def test_a_call_that_failed_is_told_under_the_cell(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell_magic("ascend", "--no-timeline", "import acl\nacl.rt.set_device(5)\n")
    said = capsys.readouterr().out
    assert "ascend-sim: acl.rt.set_device returned 107001 at " in said
    assert "deviceId is 5: there is 1 device (id 0)" in said
    shell.run_cell_magic("ascend", "--no-timeline", "import acl\nacl.rt.set_device(0)\n")
    assert "returned" not in capsys.readouterr().out


def test_a_cell_that_raises_shows_what_was_found(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(f"%%ascend\n{CELL}1 / 0")
    shown = capsys.readouterr().out
    assert "ZeroDivisionError" in shown and "error[double-free]" in shown
    assert current() is None


# -- the page ----------------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[3] / "docs" / "notebooks.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("session")
def test_the_session_of_the_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (text,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(text, "<page>", "exec"), {})
    out, err = capsys.readouterr()
    assert "error[double-free]" in err
    assert out.startswith("<FindingLog: 1 error>\n<F1 error[double-free] ")


def test_the_cells_of_the_page(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    load, cell = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert load == "%load_ext ascend_sim\n"
    shell.run_cell(cell)
    assert shell.user_ns["ret"] == 0
    assert "ascend-sim: no findings" in capsys.readouterr().out
