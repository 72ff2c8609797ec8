"""Arrays of ``ptr_to_numpy`` are views: what is written through them beside a queued copy is seen, what is read is not."""

from __future__ import annotations

import pytest

from tests.kit.texts import findings_of

HEAD = """
import ctypes, threading, warnings
warnings.simplefilter("ignore")
s, _ = acl.rt.create_stream()
other, _ = acl.rt.create_stream()
event, _ = C.aclrtCreateEventWithFlag(1)
device, _ = acl.rt.malloc({n}, 0)
acl.rt.memset(device, {n}, 1, {n})
host, _ = acl.rt.malloc_host({n})
view = acl.util.ptr_to_numpy(host, ({n},), 2)
into = lambda stream=s: acl.rt.memcpy_async(host, {n}, device, {n}, 2, stream)
out_of = lambda stream=s: acl.rt.memcpy_async(device, {n}, host, {n}, 1, stream)
done = lambda: acl.rt.synchronize_stream(s)
"""

READING, WRITING = "may still be reading it", "may still be writing it"

PROGRAMS: dict[str, tuple[str, str]] = {
    "filled before the copy": ("view[:] = 5; out_of(); done()", ""),
    "filled while the copy reads": ("out_of(); view[:] = 5; done()", READING),
    "filled after the copy": ("out_of(); done(); view[:] = 5", ""),
    "cleared before the copy writes it": ("view[:] = 0; into(); done()", ""),
    "cleared while the copy writes it": ("view[:] = 3; into(); view[:] = 0; done()", WRITING),
    "one byte of it": ("into(); view[7] = 9; done()", WRITING),
    "through ctypes": ("into(); ctypes.memset(host, 9, 64); done()", WRITING),
    "cleared after the copy wrote it": ("into(); done(); view[:] = 0", ""),
    "made while the copy writes, used after it": (
        "into(); late = acl.util.ptr_to_numpy(host, ({n},), 2); done(); assert late.sum() == {n}; late[:] = 0", "",
    ),
    "read while the copy writes it": ("into(); view.sum(); done()", ""),
    "two copies into it": ("into(); into(); done()", ""),
    "changed in place between two rounds": ("into(); done(); view[:] += 1; into(); done()", ""),
    "a copy that waits for what the host did": (
        "acl.rt.stream_wait_event(s, event); into(); view[:] = 3; acl.rt.record_event(event, other); done()", "",
    ),
    "a synchronous copy between": ("into(); acl.rt.memcpy(host, 64, device, 64, 2); done()", "race on"),
    "in a host function before the copy": (
        "C.aclrtLaunchHostFunc(s, lambda _: view.fill(4), None); into(); done()", "",
    ),
    "in a host function on another stream": (
        "C.aclrtLaunchHostFunc(other, lambda _: view.fill(4), None); into(); acl.rt.synchronize_device()", WRITING,
    ),
    "in another thread": (
        "into(); t = threading.Thread(target=lambda: view.fill(4)); t.start(); t.join(); done()", WRITING,
    ),
    "in another thread, before": (
        "t = threading.Thread(target=lambda: view.fill(4)); t.start(); t.join(); into(); done()", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("n", [64, 100_000])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_written_through_a_view(name: str, n: int) -> None:
    body, expected = PROGRAMS[name]
    text = HEAD.format(n=n) + body.replace("{n}", str(n)) + "\n"
    if "one byte" not in name or n <= 64:
        found = [f for f in findings_of(f"{name.replace(' ', '_').replace(',', '')}_{n}", text) if f.kind == "race"]
        if expected == "race on":
            assert found, "tracked accesses race as ever"
        else:
            assert [expected in f.title for f in found] == ([True] if expected else []), [f.title for f in found]


@pytest.mark.parametrize("schedule", ["early", "late", "random"])
@pytest.mark.parametrize("name", ["cleared before the copy writes it", "changed in place between two rounds"])
def test_no_schedule_makes_a_right_program_wrong(name: str, schedule: str) -> None:
    text = HEAD.format(n=64) + PROGRAMS[name][0] + "\n"
    found = findings_of(f"{name.replace(' ', '_')}_{schedule}", text, schedule=schedule)
    assert [f.title for f in found if f.kind == "race"] == []


def test_the_report_says_what_the_copy_does() -> None:
    text = HEAD.format(n=64) + "into()\nview[:] = 5\ndone()\n"
    (found,) = [f for f in findings_of("live_view_report", text) if f.kind == "race"]
    assert found.title == (
        "the program writes `host` while a copy on `s` may still be writing it: the bytes changed between the call and "
        "the copy"
    )
    assert found.sites[0].text.startswith("writes host[0, 64) when it runs")
    assert found.fix == "wait for `s` before the buffer is touched, or use a second buffer"
