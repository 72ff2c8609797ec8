"""Chapter 02: aclInit, aclFinalize, aclFinalizeReference (docs/semantics/process.md#initialisation)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.conformance.registry import row, rows
from tests.conformance.world import World


@contextmanager
def config(content: Any) -> Iterator[str]:
    """The path of a configuration file with *content*: text, or something that becomes JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "acl.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        yield str(path)


@row("stream-0119", bare=True)
def first_init_without_a_file(w: World) -> None:
    w.expect("aclInit", None)
    w.ok("aclFinalize")
    w.expect("aclInit", "")


@row("stream-0120", "stream-case-001", bare=True)
def init_again(w: World) -> None:
    w.ok("aclInit", None)
    w.refuse(100002, "aclInit", None)
    w.refuse(100002, "aclInit", "/no/such/file.json")  # the count is looked at first
    w.same(w.ok("aclFinalizeReference"), 2, "the count: refused calls count, too")


@row("stream-0121", bare=True)
def no_such_file(w: World) -> None:
    w.expect("aclInit", "/no/such/folder/acl.json")
    w.ok("aclInit", None)


@row("stream-0122", bare=True)
def another_content_after_finalize(w: World) -> None:
    with config({"err_msg_mode": "0"}) as first, config({"err_msg_mode": "1"}) as second:
        w.ok("aclInit", first)
        w.ok("aclFinalize")
        w.expect("aclInit", second)
        w.ok("aclInit", first)


@rows(("stream-0123",), ("stream-case-004",), bare=True)
def bad_message_mode(w: World) -> None:
    for mode in ("2", "", "on", 1, 0, None, ["0"]):
        with config({"err_msg_mode": mode}) as path:
            w.refuse(100000, "aclInit", path)
    with config({"err_msg_mode": "1"}) as path:
        w.ok("aclInit", path)


@rows(("stream-0124",), ("stream-case-005",), bare=True)
def bad_default_device(w: World) -> None:
    for value in ("one", "", "1.5", {}, []):
        with config({"defaultDevice": {"default_device": value}}) as path:
            w.refuse(500001, "aclInit", path)
    with config({"StackSize": {"aicore_stack_size": "much"}}) as path:
        w.refuse(500001, "aclInit", path)


@row("stream-0125", bare=True, devices=2)
def default_device(w: World) -> None:
    with config({"defaultDevice": {"default_device": "1"}}) as path:
        w.expect("aclInit", path)
    here, there = w.host(), w.host()

    def early() -> None:
        """Calls that look for a context before the implementation does."""
        w.refuse(107002, "aclrtGetCurrentContext")
        w.refuse(107002, "aclrtMemcpyAsync", here, 8, there, 8, 1, 0)
        w.refuse(107002, "aclrtMemcpy2dAsync", here, 8, there, 8, 8, 1, 1, 0)

    def only_asks() -> None:
        w.same(w.ok("aclrtGetDevice"), 1, "the device")
        w.refuse(107002, "aclrtGetCurrentContext")

    def binds() -> None:
        w.stream()
        w.same(w.ok("aclrtGetDevice"), 1, "the device")
        w.ok("aclrtGetCurrentContext")

    for body in (early, only_asks, binds):
        w.in_thread(body)


@row("stream-0126", bare=True)
def finalize_twice(w: World) -> None:
    w.ok("aclInit", None)
    w.ok("aclFinalize")
    w.expect("aclFinalize")
    w.ok("aclInit", None)
    w.ok("aclFinalize")


@row("stream-0127", bare=True)
def finalize_without_init(w: World) -> None:
    w.expect("aclFinalize")
    w.refuse(100037, "aclFinalize")


@row("stream-0128", bare=True)
def one_finalize_for_many(w: World) -> None:
    w.ok("aclInit", None)
    for _ in range(3):
        w.refuse(100002, "aclInit", None)
    w.expect("aclFinalize")
    w.refuse(100037, "aclFinalize")
    w.same(w.refuse(100037, "aclFinalizeReference"), (0,), "the count")


@row("stream-0129", "stream-case-002", bare=True)
def count_down(w: World) -> None:
    w.ok("aclInit", None)
    w.refuse(100002, "aclInit", None)
    w.same(w.ok("aclFinalizeReference"), 1, "the count")
    w.same(w.ok("aclFinalizeReference"), 0, "the count")
    w.same(w.refuse(100037, "aclFinalizeReference"), (0,), "the count")
    w.ok("aclInit", None)


@row("stream-0130", bare=True)
def count_down_too_far(w: World) -> None:
    w.expect("aclFinalizeReference")
    w.ok("aclInit", None)
    w.ok("aclFinalize")
    w.expect("aclFinalizeReference")


@row("stream-0131", bare=True)
def calls_before_init_and_after_finalize(w: World) -> None:
    def calls() -> None:
        w.expect("aclrtSetDevice", 0)
        stream, event = w.stream(), w.auto()
        w.ok("aclrtRecordEvent", event, stream)
        w.ok("aclrtSynchronizeStream", stream)
        w.ok("aclrtDestroyEvent", event)
        w.ok("aclrtDestroyStream", stream)
        w.ok("aclrtResetDevice", 0)

    calls()
    w.ok("aclInit", None)
    w.ok("aclFinalize")
    calls()


@row("stream-0132", bare=True)
def dumps_before_init(w: World) -> None:
    w.expect("aclmdlInitDump")
    w.expect("aclmdlSetDump", "/no/such/file.json")
    w.expect("aclmdlFinalizeDump")
