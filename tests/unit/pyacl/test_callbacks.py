"""Python functions that C calls: what they get, and what becomes of their exceptions.

See docs/semantics/pyacl.md#python-callbacks.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from .conftest import Recorder


def test_launch_callback_passes_the_object_as_it_is(acl: SimpleNamespace, c: Recorder) -> None:
    seen: list[Any] = []
    data = [1, 2]
    assert acl.rt.launch_callback(seen.append, data, 1, 5) == 0
    callback, user_data, block, stream = c.last
    assert (user_data, block, stream) == (0, 1, 5)
    callback(user_data)
    assert seen[0] is data
    acl.rt.launch_callback(seen.append, None, 0, 5)
    c.last[0](0)
    assert seen[1] is None
    with pytest.raises(TypeError, match="parameter must be callable"):
        acl.rt.launch_callback(3, [], 1, 5)
    with pytest.raises(TypeError, match=r"acl\.rt\.launch_callback args parse failed"):
        acl.rt.launch_callback(print, [], 1)


def test_process_report_fails_when_a_callback_raised(acl: SimpleNamespace, c: Recorder) -> None:
    def fails(_: object) -> None:
        raise ValueError("in the callback")

    acl.rt.launch_callback(fails, [], 1, 5)
    callback = c.last[0]

    def serve(timeout: int) -> int:
        callback(0)
        return 0

    c.answers["aclrtProcessReport"] = serve
    with pytest.raises(SystemError, match="process_report") as caught:
        acl.rt.process_report(100)
    assert isinstance(caught.value.__cause__, ValueError)
    c.answers["aclrtProcessReport"] = 107012
    assert acl.rt.process_report(100) == 107012


def test_a_launched_callback_goes_by_the_name_of_the_function(acl: SimpleNamespace, c: Recorder) -> None:
    def mine(_: object) -> None: ...

    acl.rt.launch_callback(mine, [], 1, 5)
    assert c.last[0].__name__ == "mine"
    assert c.last[0].__wrapped__ is mine


def test_exception_callback_is_one_slot_and_is_dropped_when_it_raises(
    acl: SimpleNamespace, c: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[int] = []

    def fails(info: int) -> None:
        calls.append(info)
        raise KeyError("broken")

    acl.rt.set_exception_info_callback(fails)
    callback = c.last[0]
    callback(11)
    callback(12)
    assert calls == [11]
    assert "KeyError: 'broken'" in capsys.readouterr().err
    for arguments in ((), (None,)):
        acl.rt.set_exception_info_callback(*arguments)
        assert c.last == (None,)
    with pytest.raises(TypeError, match=r"acl\.rt\.set_exception_info_callback args parse failed"):
        acl.rt.set_exception_info_callback(3)


def test_the_second_compile_function_runs_although_c_refused_it(acl: SimpleNamespace, c: Recorder) -> None:
    ran: list[Any] = []
    acl.op.register_compile_func("Add", lambda *a: ran.append(("first", a)))
    known = c.last[1]
    c.answers["aclopRegisterCompileFunc"] = 100030
    assert acl.op.register_compile_func("Add", lambda *a: ran.append(("second", a))) == 100030
    assert known(1, [10], 1, [20], 30, 40) == 0
    assert ran == [("second", (1, [10], 1, [20], 30, 40))]
    acl.op.unregister_compile_func("Add")
    assert known(1, [10], 1, [20], 30, 40) == 0
    assert len(ran) == 1


def test_update_params_fails_when_the_compile_function_raised(acl: SimpleNamespace, c: Recorder) -> None:
    def fails(*_: object) -> None:
        raise ValueError("no kernel")

    acl.op.register_compile_func("Add", fails)
    function = c.last[1]
    c.answers["aclopUpdateParams"] = lambda *_: function(0, [], 0, [], 0, 0)
    with pytest.raises(SystemError, match="update_params") as caught:
        acl.op.update_params("Add", [], [], 0)
    assert str(caught.value.__cause__) == "no kernel"


def test_allocator_functions_are_handed_on(acl: SimpleNamespace, c: Recorder) -> None:
    def alloc(allocator: int, size: int) -> int:
        return 0

    acl.rt.allocator_set_alloc_func_to_desc(1, alloc)
    assert c.last == (1, alloc)


def test_dump_callback_gets_a_dict(acl: SimpleNamespace, c: Recorder) -> None:
    from ascend_sim.ascendcl.structs import acldumpChunk

    seen: list[dict[str, Any]] = []
    acl.mdl.dump_reg_callback(seen.append, 0)
    assert c.last[0](acldumpChunk(fileName="a.bin", bufLen=3, isLastChunk=1), 100) == 0
    assert (seen[0]["file_name"], seen[0]["buf_len"], seen[0]["is_last_chunk"]) == ("a.bin", 3, 1)
