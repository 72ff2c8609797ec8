"""A read of page-locked memory that is all a thread, or a host function, does with the library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.forks import ascend_sim

PROGRAM = """
import threading
import acl
from ascend_sim import ascendcl as C

acl.init()
acl.rt.set_device(0)
copies, functions = acl.rt.create_stream()[0], acl.rt.create_stream()[0]
device, _ = acl.rt.malloc(64, 0)
in_thread, _ = acl.rt.malloc_host(64)
in_function, _ = acl.rt.malloc_host(64)
late, _ = acl.rt.malloc_host(64)
acl.rt.memset(device, 64, 1, 64)

acl.rt.memcpy_async(in_thread, 64, device, 64, 2, copies)
reader = threading.Thread(target=lambda: acl.util.ptr_to_bytes(in_thread, 64))
reader.start()
reader.join()

C.aclrtLaunchHostFunc(functions, lambda _: acl.util.ptr_to_bytes(in_function, 64), None)
acl.rt.memcpy_async(in_function, 64, device, 64, 2, copies)
acl.rt.synchronize_device()

acl.rt.memcpy_async(late, 64, device, 64, 2, copies)
acl.rt.synchronize_stream(copies)
reader = threading.Thread(target=lambda: acl.util.ptr_to_bytes(late, 64))
reader.start()
reader.join()
"""


READERS = {
    "a thread of a pool": "with ThreadPoolExecutor(1) as pool: pool.submit(read).result()",
    "asyncio": "asyncio.run(asyncio.to_thread(read))",
    "a timer": "timer = threading.Timer(0.001, read); timer.start(); timer.join()",
    "a thread of acl.util": "thread, _ = acl.util.start_thread(lambda _: read(), []); acl.util.stop_thread(thread)",
    "a callback": """over = []
def serve():
    acl.rt.set_context(context)
    while not over: acl.rt.process_report(10)
thread = threading.Thread(target=serve)
thread.start()
acl.rt.subscribe_report(thread.ident, functions)
acl.rt.launch_callback(lambda _: read(), None, 1, functions)
acl.rt.synchronize_stream(functions)
over.append(1)
thread.join()
acl.rt.unsubscribe_report(thread.ident, functions)""",
}


@pytest.mark.parametrize("waited", [False, True])
@pytest.mark.parametrize("threads", ["free", "deterministic"])
@pytest.mark.parametrize("reader", READERS)
def test_whoever_reads_before_the_copy_is_over(reader: str, threads: str, waited: bool, tmp_path: Path) -> None:
    start = PROGRAM.partition("acl.rt.memcpy_async")[0] + (
        "import asyncio\nfrom concurrent.futures import ThreadPoolExecutor\ncontext, _ = acl.rt.get_context()\n"
        "read = lambda: acl.util.ptr_to_bytes(late, 64)\nacl.rt.memcpy_async(late, 64, device, 64, 2, copies)\n"
    )
    program, out = tmp_path / "program.py", tmp_path / "out.json"
    wait = "acl.rt.synchronize_stream(copies)\n" if waited else ""
    program.write_text(f"{start}{wait}{READERS[reader]}\nacl.rt.synchronize_device()\n")
    ascend_sim("run", "--checks", "races", "--threads", threads, "--json", out, program)
    kinds = [finding["kind"] for finding in json.loads(out.read_text())["findings"] if finding["kind"] == "race"]
    assert kinds == ["race"] * (not waited)


@pytest.mark.parametrize("schedule", ["virtual-time", "random(2)"])
def test_a_read_counts_whoever_makes_it(schedule: str, tmp_path: Path) -> None:
    program, out = tmp_path / "program.py", tmp_path / "out.json"
    program.write_text(PROGRAM)
    ascend_sim("run", "--checks", "races", "--schedule", schedule, "--json", out, program)
    titles = [f["title"] for f in json.loads(out.read_text())["findings"] if f["kind"] == "race"]
    assert [name for title in titles for name in ("in_thread", "in_function", "late") if f"`{name}`" in title] == [
        "in_thread", "in_function",
    ]  # fmt: skip
