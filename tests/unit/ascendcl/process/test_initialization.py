"""aclInit, its file and its callbacks; aclFinalize and the count."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

sim = simulator(device=None, devices=2)


def write(folder: Path, content: Any) -> str:
    path = folder / "acl.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


def init(folder: Path, content: Any, soc: str = "Ascend910B3") -> int:
    with Simulator(soc, devices=2):
        code: int = C.aclInit(write(folder, content))
        return code


@pytest.mark.parametrize("path", ["\ud800", "no\0such", "x" * 5000])
def test_a_path_that_cannot_be_one(sim: Simulator, path: str) -> None:
    assert C.aclInit(path) == 100003


# -- the count ----------------------------------------------------------------------------


def test_a_second_init_is_refused_but_counts(sim: Simulator) -> None:
    assert [C.aclInit(None), C.aclInit(None), C.aclInit("/no/such/file")] == [0, 100002, 100002]
    assert [C.aclFinalizeReference() for _ in range(4)] == [(2, 0), (1, 0), (0, 0), (0, 100037)]


def test_finalize_ends_any_count_and_a_first_one_needs_no_init(sim: Simulator) -> None:
    assert [C.aclFinalize(), C.aclFinalize()] == [0, 100037]
    assert [C.aclInit(None), C.aclInit(None), C.aclFinalize(), C.aclFinalize()] == [0, 100002, 0, 100037]
    assert C.aclInit(None) == 0


def test_a_later_first_init_needs_equal_contents(sim: Simulator, tmp_path: Path) -> None:
    assert C.aclInit(write(tmp_path, {})) == 0
    C.aclFinalize()
    assert C.aclInit(None) == 100000
    assert C.aclInit(write(tmp_path, b"{ }")) == 100000
    assert C.aclInit(write(tmp_path, {})) == 0


def test_a_failed_init_pins_no_contents(sim: Simulator, tmp_path: Path) -> None:
    assert C.aclInit(write(tmp_path, {"err_msg_mode": "2"})) == 100000
    assert C.aclInit(write(tmp_path, {"err_msg_mode": "1"})) == 0


# -- files ----------------------------------------------------------------------------


def test_files_that_cannot_be_read(sim: Simulator, tmp_path: Path) -> None:
    assert C.aclInit(str(tmp_path / "missing.json")) == 100003
    assert C.aclInit(str(tmp_path)) == 100003  # a folder
    assert C.aclInit("x" * 5000) == 100003
    os.mkfifo(tmp_path / "fifo")
    assert C.aclInit(str(tmp_path / "fifo")) == 100003  # and does not hang
    assert C.aclInit("/dev/zero") == 100003
    assert C.aclInit(write(tmp_path, b" " * (10 << 20) + b"{}")) == 100003
    assert "larger than" in C.aclGetRecentErrMsg()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", 0),
        (b"{}", 0),
        (b"\0 whatever comes behind a NUL", 0),
        (b"{}\0]]]", 0),
        (b"\xef\xbb\xbf{}", 0),  # a byte order mark
        (b"[]", 0),  # JSON without keys
        (b"17", 0),
        (b"null", 0),
        (b'{"err_msg_mode": "2", "err_msg_mode": "1"}', 0),  # the last of equal keys
        (b'{"err_msg_mode": "1", "err_msg_mode": "2"}', 100000),
        (b"   ", 100006),
        (b"\xef\xbb\xbf", 100006),
        (b"Illegal format", 100006),
        (b'{"a": 1', 100006),
        (b'{"a": 1,}', 100006),
        (b"{'a': 1}", 100006),
        (b'{"a": NaN}', 100006),
        (b'{"a": 1e999}', 100006),
        (b'{"a": ' + b"9" * 400 + b"}", 100006),
        (b'{"a": ' + b"9" * 300 + b"}", 0),
        (b'{"a": 01}', 100006),
        (b'{"a": "\\ud800"}', 100006),
        (b'{"a": "\xff"}', 100006),
        (b'{"a": "\n"}', 100006),
        (b"\x89PNG\r\n\x1a\n", 100006),
        (b'{"a":' * 10 + b"1" + b"}" * 10, 0),
        (b'{"a":' * 11 + b"1" + b"}" * 11, 100006),
        (b"[" * 10 + b"]" * 10, 0),
        (b"[" * 11 + b"]" * 11, 100006),
        (b"[" * 100_000, 100006),
        (b'{"a": "' + b"{" * 11 + b'"}', 100006),  # counted inside strings, too
        (b'{"a": "' + b"}{" * 11 + b'"}', 0),
    ],
)
def test_what_the_parser_takes(tmp_path: Path, content: bytes, code: int) -> None:
    assert init(tmp_path, content) == code


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"err_msg_mode": 0}, 100000),
        ({"err_msg_mode": ["0"]}, 100000),
        ({"err_msg_mode": None}, 100000),
        ({"max_opqueue_num": "10000"}, 0),
        ({"max_opqueue_num": 10000}, 0),
        ({"max_opqueue_num": "12 operators"}, 0),
        ({"max_opqueue_num": "0"}, 100000),
        ({"max_opqueue_num": "-5"}, 100000),
        ({"max_opqueue_num": "many"}, 100000),
        ({"max_opqueue_num": {}}, 100000),
        ({"defaultDevice": {}}, 0),
        ({"defaultDevice": 1}, 0),
        ({"defaultDevice": {"default_device": "1"}}, 0),
        ({"defaultDevice": {"default_device": 1}}, 500001),
        ({"defaultDevice": {"default_device": "-1"}}, 500001),
        ({"defaultDevice": {"default_device": "0x1"}}, 500001),
        ({"defaultDevice": {"default_device": "01"}}, 500001),
        ({"defaultDevice": {"default_device": ""}}, 500001),
        ({"defaultDevice": {"default_device": "2"}}, 107001),
        ({"StackSize": {}}, 0),
        ({"StackSize": []}, 0),
        ({"StackSize": {"aicore_stack_size": 32768, "simt_stack_size": 200}}, 0),
        ({"StackSize": {"aicore_stack_size": -1}}, 0),
        ({"StackSize": {"aicore_stack_size": "abc"}}, 500001),
        ({"StackSize": {"simt_stack_size": "1152"}}, 500001),
        ({"StackSize": {"simt_divergence_stack_size": None}}, 500001),
        ({"simd_printf_fifo_size_per_core": 1024}, 0),
        ({"simd_printf_fifo_size_per_core": 1023}, 107000),
        ({"simd_printf_fifo_size_per_core": (64 << 20) + 1}, 107000),
        ({"simd_printf_fifo_size_per_core": 0}, 500001),
        ({"simd_printf_fifo_size_per_core": -1}, 500001),
        ({"simd_printf_fifo_size_per_core": "32768"}, 500001),
        ({"simd_printf_fifo_size_per_core": 32768.0}, 500001),
        ({"simt_printf_fifo_size": 1}, 0),  # no SIMT on an A2: not looked at
        ({"acl_graph": {"event_mode": "1"}}, 0),
        ({"acl_graph": {"event_mode": "2"}}, 100000),
        ({"acl_graph": {}}, 0),
        ({"profiler": "on"}, 100000),
        ({"profiler": {"switch": "on"}}, 0),
        ({"unknown": {"key": [1, 2, {"x": None}]}}, 0),
    ],
)
def test_keys(tmp_path: Path, settings: dict[str, Any], code: int) -> None:
    assert init(tmp_path, settings) == code


def test_sections_are_judged_in_order(tmp_path: Path) -> None:
    """Two faults at once: the one that is looked at first wins."""
    order: list[tuple[dict[str, Any], int]] = [
        ({"err_msg_mode": "x"}, 100000),
        ({"dump": 1}, 100009),
        ({"max_opqueue_num": "0"}, 100000),
        ({"StackSize": {"aicore_stack_size": "x"}}, 500001),
        ({"defaultDevice": {"default_device": "9"}}, 107001),
        ({"simd_printf_fifo_size_per_core": 1}, 107000),
        ({"acl_graph": {"event_mode": "x"}}, 100000),
    ]
    for first in range(len(order)):
        together: dict[str, Any] = {}
        for settings, _ in order[first:]:
            together.update(settings)
        assert init(tmp_path, together) == order[first][1]


def test_products_differ(tmp_path: Path) -> None:
    assert init(tmp_path, {"simt_printf_fifo_size": 1}, "Ascend950PR_9599") == 107000
    assert init(tmp_path, {"acl_graph": {"event_mode": "1"}}, "Ascend310P3") == 207000


# -- dump ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "code"),
    [
        ({}, 0),
        ([], 100009),
        ({"dump_path": "HERE"}, 0),
        ({"dump_list": [{}]}, 100009),  # no path
        ({"dump_path": ""}, 100009),
        ({"dump_path": "/no/such/folder"}, 100009),
        ({"dump_path": "x" * 513}, 100009),
        ({"dump_path": "10.0.0.1:/some/where"}, 0),
        ({"dump_path": "10.0.0.1:/some where"}, 100009),
        ({"dump_path": "10.0.0.256:/some/where"}, 100009),
        ({"dump_path": 5}, 100009),
        ({"dump_path": "HERE", "dump_mode": "everything"}, 100009),
        ({"dump_path": "HERE", "dump_mode": ""}, 100009),
        ({"dump_path": "HERE", "dump_list": {}}, 100009),
        ({"dump_path": "HERE", "dump_list": [1]}, 100009),
        ({"dump_path": "HERE", "dump_list": [{"model_name": ""}]}, 100009),
        ({"dump_path": "HERE", "dump_list": [{"layer": []}]}, 100009),
        ({"dump_path": "HERE", "dump_list": [{"layer": []}], "dump_op_switch": "on"}, 0),
        ({"dump_path": "HERE", "dump_step": "0|3-5|9"}, 0),
        ({"dump_path": "HERE", "dump_step": "5-3"}, 100009),
        ({"dump_path": "HERE", "dump_step": "1-2-3"}, 100009),
        ({"dump_path": "HERE", "dump_step": "|".join(["1"] * 101)}, 100009),
        ({"dump_path": "HERE", "dump_kernel_data": "printf,assert"}, 0),
        ({"dump_path": "HERE", "dump_kernel_data": "printf,"}, 100009),
        ({"dump_path": "HERE", "dump_data": "stats", "dump_stats": ["Max", "Nan"]}, 0),
        ({"dump_path": "HERE", "dump_stats": ["Max"]}, 100009),
        ({"dump_path": "HERE", "dump_data": "stats", "dump_stats": []}, 100009),
        ({"dump_scene": "aic_err_brief_dump"}, 0),  # needs no path
        ({"dump_scene": "aic_err_brief_dump", "dump_debug": "on"}, 100009),
        ({"dump_scene": "lite_exception", "dump_op_switch": "on"}, 100009),
        ({"dump_scene": "nothing"}, 100009),
        ({"dump_path": "HERE", "dump_debug": "on"}, 0),
        ({"dump_path": "HERE", "dump_debug": "on", "dump_op_switch": "on"}, 100009),
        ({"dump_debug": "on"}, 100009),
        ({"dump_path": "HERE", "dump_scene": "watcher", "dump_list": [{"watcher_nodes": ["C"]}]}, 0),
        ({"dump_path": "HERE", "dump_scene": "watcher", "dump_list": [{}]}, 100009),
        ({"dump_path": "HERE", "dump_scene": "watcher", "dump_mode": "input"}, 100009),
        ({"dump_path": "HERE", "dump_scene": "watcher", "dump_debug": "on"}, 100009),
        ({"dump_path": "HERE", "dump_list": [{"watcher_nodes": ["C"]}]}, 100009),
        ({"dump_path": "HERE", "dump_list": [{"optype_blacklist": [{"name": "Add"}]}]}, 100009),
        ({"dump_path": "HERE", "dump_level": "op", "dump_list": [{"optype_blacklist": [{"name": "Add"}]}]}, 0),
    ],
)
def test_dump_sections(tmp_path: Path, section: Any, code: int) -> None:
    if isinstance(section, dict) and section.get("dump_path") == "HERE":
        section = {**section, "dump_path": str(tmp_path)}
    assert init(tmp_path, {"dump": section}) == code


# -- what the settings do ----------------------------------------------------------------------------


def test_the_default_device_ends_with_finalize(sim: Simulator, tmp_path: Path) -> None:
    assert C.aclInit(write(tmp_path, {"defaultDevice": {"default_device": "1"}})) == 0
    assert C.aclrtGetDevice() == (1, 0)
    C.aclFinalize()
    assert C.aclrtGetDevice() == (None, 107002)


def test_stack_sizes_reach_the_device(sim: Simulator, tmp_path: Path) -> None:
    assert C.aclInit(write(tmp_path, {"StackSize": {"aicore_stack_size": 40_000}})) == 0
    assert C.aclrtDeviceGetLimit(2) == (49_152, 0)
    assert C.aclrtSetDevice(0) == 0
    assert C.aclrtDeviceSetLimit(2, 200_000) == 0
    assert C.aclrtSetDevice(0) == 0  # the device is up already
    assert C.aclrtSetDevice(1) == 507033
    assert "aclrtSetDevice: the AI Core stack was set to 212992 bytes" in C.aclGetRecentErrMsg()


def test_process_wide_error_texts(sim: Simulator, tmp_path: Path) -> None:
    assert C.aclInit(write(tmp_path, {"err_msg_mode": "1"})) == 0
    C.aclrtSetDevice(9)
    assert sim.process.texts
    assert "there are 2 devices" in C.aclGetRecentErrMsg()


# -- callbacks ----------------------------------------------------------------------------


def test_callbacks_by_type_and_order(sim: Simulator, tmp_path: Path) -> None:
    heard: list[tuple[Any, ...]] = []

    def listen(*arguments: Any) -> int:
        heard.append(arguments)
        return 0

    for kind in (65535, 6, 1, 0, 2):
        assert C.aclInitCallbackRegister(kind, listen, kind) == 0
    assert C.aclInitCallbackRegister(0, listen, "again") == 500000
    assert C.aclInitCallbackRegister(65535, listen, "again") == 0
    assert C.aclInit(write(tmp_path, b'{"k": "\xc3\xa4"}')) == 0
    assert heard == [('{"k": "ä"}', 11, user) for user in (0, 1, 6, 65535, "again")]

    heard.clear()
    assert C.aclInitCallbackRegister(65535, listen, "late") == 0
    assert heard == [('{"k": "ä"}', 11, "late")]


def test_callbacks_that_fail(sim: Simulator) -> None:
    def failing(text: str, length: int, user: Any) -> int:
        return int(user)

    assert C.aclInitCallbackRegister(65535, failing, 7) == 0
    assert C.aclInit(None) == 7
    assert C.aclInitCallbackUnRegister(65535, failing) == 0
    assert C.aclInit(None) == 0
    assert C.aclInitCallbackRegister(65535, failing, 7) == 0  # called at once, its answer does not count

    ends = lambda user: 3  # noqa: E731
    assert C.aclFinalizeCallbackRegister(3, ends, None) == 0
    assert [C.aclFinalizeReference(), C.aclFinalize()] == [(1, 3), 3]
    assert C.aclFinalizeCallbackUnRegister(3, ends) == 0
    assert C.aclFinalize() == 0


def test_unregistering_what_is_not_there(sim: Simulator) -> None:
    for register, unregister in (
        (C.aclInitCallbackRegister, C.aclInitCallbackUnRegister),
        (C.aclFinalizeCallbackRegister, C.aclFinalizeCallbackUnRegister),
    ):
        assert register(0, None, None) == 100000
        assert unregister(0, None) == 100000
        assert unregister(0, print) == 500000
        assert register(0, print, None) == 0
        assert unregister(1, print) == 500000
        assert unregister(0, len) == 500000
        assert unregister(0, print) == 0
