"""What a report about a hang advises when locks take part: an order of locks only where there are two of them."""

from __future__ import annotations

import textwrap

import pytest

from tests.kit.texts import findings_of

GIVE_BACK = "give the lock back before waiting for what its next owner does"
SAME_ORDER = "take the locks in the same order everywhere, or give one back before waiting for the other"

HEAD = """
import threading
from ascend_sim import SimulatedHang
lock, other = threading.{kind}(), threading.{kind}()
stream, _ = acl.rt.create_stream()
context, _ = acl.rt.get_context()
"""

HOST_FUNCTION = """
def work(_):
    with lock:
        pass
try:
    with lock:
        C.aclrtLaunchHostFunc(stream, work, None)
        acl.rt.synchronize_stream(stream)
except SimulatedHang:
    pass
"""

REPORT = """
def work(_):
    with lock:
        pass
def serve():
    acl.rt.set_context(context)
    try:
        acl.rt.process_report(-1)
    except SimulatedHang:
        pass
thread = threading.Thread(target=serve)
thread.start()
acl.rt.subscribe_report(thread.ident, stream)
try:
    with lock:
        acl.rt.launch_callback(work, None, 1, stream)
        acl.rt.synchronize_stream(stream)
except SimulatedHang:
    pass
"""

JOIN = """
def work():
    acl.rt.set_context(context)
    try:
        with lock:
            acl.rt.synchronize_stream(stream)
    except SimulatedHang:
        pass
thread = threading.Thread(target=work)
try:
    with lock:
        thread.start()
        thread.join()
except SimulatedHang:
    pass
"""

TWICE = """
try:
    with lock:
        lock.acquire()
except SimulatedHang:
    pass
"""

TWO = """
def work():
    acl.rt.set_context(context)
    try:
        with other:
            ready.set()
            with lock:
                pass
    except SimulatedHang:
        pass
ready = threading.Event()
try:
    with lock:
        threading.Thread(target=work).start()
        ready.wait()
        with other:
            pass
except SimulatedHang:
    pass
"""

TWO_AND_A_STREAM = """
def work(_):
    try:
        with other:
            with lock:
                pass
    except SimulatedHang:
        pass
def hold():
    acl.rt.set_context(context)
    try:
        with other:
            C.aclrtLaunchHostFunc(stream, lambda _: lock.acquire(), None)
            ready.set()
            acl.rt.synchronize_stream(stream)
    except SimulatedHang:
        pass
ready = threading.Event()
try:
    with lock:
        threading.Thread(target=hold).start()
        ready.wait()
        with other:
            pass
except SimulatedHang:
    pass
"""


@pytest.mark.parametrize("kind", ["Lock", "RLock"])
@pytest.mark.parametrize(
    ("name", "program", "advice"),
    [
        ("host_function", HOST_FUNCTION, GIVE_BACK),
        ("report", REPORT, GIVE_BACK),
        ("join", JOIN, GIVE_BACK),
        ("twice", TWICE, GIVE_BACK),
        ("two", TWO, SAME_ORDER),
        ("two_and_a_stream", TWO_AND_A_STREAM, SAME_ORDER),
    ],
)
def test_the_advice_fits_the_locks(name: str, program: str, advice: str, kind: str) -> None:
    if (name, kind) == ("twice", "RLock"):
        return  # may be taken again
    text = HEAD.format(kind=kind) + textwrap.dedent(program)
    found = [f for f in findings_of(f"{name}_{kind}", text) if f.kind == "deadlock"]
    assert [f.fix for f in found[:1]] == [advice], [(f.title, f.fix) for f in found]
