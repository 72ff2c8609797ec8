"""Calls that failed for good, at the end of a run: whose reason is said, and whose is not."""

from __future__ import annotations

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.findings.languages import english_words, missing, translated
from ascend_sim.observers.checks import DEFAULT
from ascend_sim.observers.failed_calls import FailedCalls
from ascend_sim.pyacl import modules


def lines(text: str, ended_badly: bool = False, checks: str = DEFAULT) -> list[str]:
    with Simulator(checks=checks) as sim:
        failed = FailedCalls(sim)
        sim.attach(failed)
        exec(compile(text, "program.py", "exec"), {"C": C, "acl": modules()["acl"]})
        return failed.lines(ended_badly)


def english(text: str) -> list[str]:
    """What has no translation, but for the names of parameters."""
    return [part for part in missing(text, "zh") if len(english_words(part)) > 1]


NO_CONTEXT = "T0 (main) has no current context: call "

SAID = {
    "C.aclrtMalloc(64, 0)": "aclrtMalloc returned 107002 at program.py:1: "
    f"{NO_CONTEXT}aclrtSetDevice or aclrtSetCurrentContext in it first",
    "acl.rt.malloc(64, 0)": "acl.rt.malloc returned 107002 at program.py:1: "
    f"{NO_CONTEXT}acl.rt.set_device or acl.rt.set_context in it first",
    "C.aclrtSetDevice(0)\nC.aclrtMalloc(0, 0)\nC.aclrtMalloc(1 << 45, 0)":
        "aclrtMalloc returned 100000 at program.py:2: size is",
    "C.aclrtSetDevice(0)\np, _ = C.aclrtMalloc(64, 0)\nC.aclrtMalloc(1 << 45, 0)\nC.aclrtFree(p)\nC.aclrtResetDevice(0)":
        "aclrtMalloc returned 207001 at program.py:3: no room",
    "C.aclrtSetDevice(0)\ns, ret = C.aclrtCreateStream()\nC.aclrtLaunchCallback(print, s, 0, s)\nC.aclrtStreamQuery(s)":
        "aclrtLaunchCallback returned 107015 at program.py:3: ",
    "p, ret = acl.rt.malloc(64, 0)\nret = acl.rt.set_device(0)\nret = acl.rt.synchronize_device()":
        f"acl.rt.malloc returned 107002 at program.py:1: {NO_CONTEXT}",
}  # fmt: skip
COMMON = (
    "aclrtMemcpy returned 107000 at a.py:5: count is 4096 but destMax is 1024: the destination is too small",
    "aclrtRecordEvent returned 107017 at a.py:5: 0xace000001020 is no live event: it is the handle of stream `s`",
    "aclInit returned 100003 at a.py:2: configPath 'acl.json' cannot be opened: No such file or directory",
    "aclrtSetDevice returned 107001 at a.py:2: deviceId is 3: there are 2 devices (ids 0 to 1)",
    "aclrtMalloc returned 100000 at a.py:2: size is 0",
    "aclrtMemcpyAsync returned 107000 at a.py:2: src and dst are both host memory: an asynchronous copy has a device side "
    "(use aclrtMemcpy)",
    "aclrtFree returned 107000 at a.py:2: devPtr is NULL or zero",
    "aclrtStreamWaitEvent returned 107000 at a.py:2: event `done` has never been recorded",
    "aclmdlRICaptureEnd returned 107000 at a.py:2: `s` is not being captured",
    "aclrtLaunchCallback returned 107015 at a.py:2: no thread is subscribed for stream `s`: call aclrtSubscribeReport first",
)


@pytest.mark.parametrize("text", COMMON)
def test_a_common_reason_is_chinese(text: str) -> None:
    assert english(text) == []
    name, _, rest = text.partition(" returned ")
    assert translated(text, "zh").startswith(f"{name} \u8fd4\u56de {rest.partition(' ')[0]}")


NOT_SAID = {
    "it succeeds later": "C.aclrtMalloc(64, 0)\nC.aclrtSetDevice(0)\nC.aclrtMalloc(64, 0)",
    "the text is asked for": "C.aclrtMalloc(64, 0)\nC.aclGetRecentErrMsg()",
    "the program goes on": "if C.aclrtMalloc(64, 0)[1]:\n    C.aclrtSetDevice(0)",
    "a clean-up too many": "C.aclrtSetDevice(0)\nC.aclrtFree(0)\nC.aclrtCreateStream()",
    "a finding says it": "C.aclrtSetDevice(0)\np, _ = C.aclrtMalloc(64, 0)\nC.aclrtFree(p)\nC.aclrtFree(p)",
    "initialised twice": "C.aclInit(None)\nC.aclInit(None)",
    "finalised twice": "C.aclInit(None)\nC.aclFinalize()\nC.aclFinalize()",
    "a wait that timed out": (
        "C.aclrtSetDevice(0)\ns, _ = C.aclrtCreateStream()\nn, _ = C.aclrtCreateNotify(0)\n"
        "C.aclrtWaitAndResetNotify(n, s, 0)\nC.aclrtSynchronizeStreamWithTimeout(s, 5)\nC.aclrtStreamAbort(s)"
    ),
    "all went well": "C.aclrtSetDevice(0)",
}


@pytest.mark.parametrize("text", SAID)
def test_the_reason_is_said_in_the_words_of_the_call(text: str) -> None:
    (said,) = lines(text)
    assert said.startswith(SAID[text])
    assert "\u8fd4\u56de" in translated(f"ascend-sim: {said}", "zh")
    assert english(said) == []


@pytest.mark.parametrize("text", NOT_SAID.values(), ids=NOT_SAID)
def test_what_needs_no_line(text: str) -> None:
    assert lines(text) == []


@pytest.mark.parametrize("name", ["the text is asked for", "the program goes on"])
def test_an_exception_may_be_about_any_of_them(name: str) -> None:
    assert lines(NOT_SAID[name], ended_badly=True)[0].startswith("aclrtMalloc returned 107002")


REFUSED = """\
C.aclrtSetDevice(0)
p, _ = C.aclrtMalloc(64, 0)
s1, _ = C.aclrtCreateStream()
s2, _ = C.aclrtCreateStream()
done, _ = C.aclrtCreateEvent()
C.aclrtMemsetAsync(p, 64, 0, 64, s1)
C.aclrtStreamWaitEvent(s2, done)
C.aclrtRecordEvent(done, s1)
C.aclrtMemsetAsync(p, 64, 1, 64, s2)
C.aclrtSynchronizeDevice()
"""


def test_what_a_program_went_on_from_to_an_error_is_said_in_its_names() -> None:
    (said,) = lines(REFUSED)
    assert said == "aclrtStreamWaitEvent returned 107000 at program.py:7: event `done` has never been recorded"


def test_before_an_error_too_a_text_that_was_asked_for_is_not_said_again() -> None:
    assert lines(REFUSED.replace("C.aclrtRecord", "C.aclGetRecentErrMsg()\nC.aclrtRecord")) == []


def test_no_error_comes_of_a_call_that_fails_after_it() -> None:
    text = REFUSED.replace("C.aclrtStreamWaitEvent(s2, done)\n", "")
    late = "other, _ = C.aclrtCreateEvent()\nprint(C.aclrtStreamWaitEvent(s2, other))\nC.aclrtMalloc(64, 0)"
    assert lines(text + late) == []


def test_what_comes_of_an_ignored_code_is_told_by_that_check() -> None:
    text = "stream, _ = C.aclrtCreateStream()\nprint(C.aclrtMalloc(64, 0))"
    assert lines(text)
    assert lines(text, checks="all") == []


def test_three_are_said_and_the_others_counted() -> None:
    text = (
        "C.aclrtMalloc(64, 0)\nC.aclrtCreateStream()\nC.aclrtCreateEvent()\nC.aclrtSynchronizeDevice()\nC.aclrtFree(0)"
    )
    assert [line.split()[0] for line in lines(text)] == [
        "aclrtMalloc", "aclrtCreateStream", "aclrtCreateEvent", "2"
    ]  # fmt: skip


def test_nobody_listens_once_all_have_succeeded() -> None:
    with Simulator(checks="none") as sim:
        sim.attach(FailedCalls(sim))
        C.aclrtMalloc(64, 0)
        assert sim.hooks.api_returned is not None
        C.aclrtSetDevice(0)
        C.aclrtMalloc(64, 0)
        assert sim.hooks.api_returned is None
        C.aclrtMalloc(0, 0)
        assert sim.hooks.api_returned is not None
