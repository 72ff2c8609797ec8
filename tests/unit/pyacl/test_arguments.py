"""Every function checks its arguments by its letters and hands them to its C function."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import Row, row, rows
from ascend_sim.pyacl.generate import adapters_of

from .conftest import Recorder

ROWS = [found for module, names in rows().items() if module != "util" for name in names if (found := row(module, name))]
CHECKED = [found for found in ROWS if found.format not in ("", "*")]
PLAIN = [found for found in CHECKED if found.name not in adapters_of(found.name.rpartition(".")[0])[0]]
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "k": st.integers(), "K": st.integers(), "i": st.integers(-(1 << 31), (1 << 31) - 1), "I": st.integers(),
    "H": st.integers(), "B": st.integers(), "b": st.integers(0, 255), "h": st.integers(-(1 << 15), (1 << 15) - 1),
    "l": st.integers(-(1 << 63), (1 << 63) - 1), "L": st.integers(-(1 << 63), (1 << 63) - 1),
    "f": st.floats(width=32, allow_nan=False), "d": st.floats(allow_nan=False),
    "s": st.text(st.characters(codec="utf-8", exclude_characters="\0")),
    "O": st.just(print),
}  # fmt: skip
WIDTH = {"k": 64, "K": 64, "I": 32, "H": 16, "B": 8}


def function_of(acl: Any, found: Row) -> Any:
    module, _, name = found.name.rpartition(".")
    return getattr(getattr(acl, module) if module else acl, name)


def test_most_functions_need_no_adapter() -> None:
    assert len(PLAIN) > 270


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(data=st.data())
def test_arguments_reach_c_as_their_letters_say(acl: SimpleNamespace, c: Recorder, data: st.DataObject) -> None:
    found = data.draw(st.sampled_from(PLAIN))
    letters = found.format.replace("|", "")
    values = [data.draw(VALUES[letter]) for letter in letters]
    function_of(acl, found)(*values)
    name, seen = c.calls[-1]
    assert name == found.c_function
    for letter, value, got, parameter in zip(letters, values, seen, functions()[name].inputs, strict=True):
        expected = value % (1 << WIDTH[letter]) if letter in WIDTH else value
        if parameter.kind in ("u32", "u64") and isinstance(expected, int):
            expected %= 1 << int(parameter.kind[1:])
        assert got == expected


@pytest.mark.parametrize("found", CHECKED, ids=lambda found: found.name)
def test_wrong_arguments_give_the_text_of_the_real_module(acl: SimpleNamespace, c: Recorder, found: Row) -> None:
    function = function_of(acl, found)
    required = found.format.partition("|")[0]
    count = len(found.format.replace("|", ""))
    attempts: list[tuple[Any, ...]] = [(1,) * (count + 1)]
    if required:
        attempts.append(())
    for index, letter in enumerate(found.format.replace("|", "")):
        if letter != "O":
            good = [{"s": "x", "f": 1.0}.get(x, 1) for x in found.format.replace("|", "")]
            attempts.append((*good[:index], object(), *good[index + 1 :]))
            attempts.append((*good[:index], None, *good[index + 1 :]))
    for attempt in attempts:
        with pytest.raises(TypeError) as caught:
            function(*attempt)
        if found.error != "python":
            assert str(caught.value) == found.wrong
    assert not c.calls


@pytest.mark.parametrize("found", ROWS, ids=lambda found: found.name)
def test_keyword_arguments_are_refused(acl: SimpleNamespace, c: Recorder, found: Row) -> None:
    names = dict.fromkeys(found.parameters, 1) or {"anything": 1}
    with pytest.raises(TypeError, match=r"\(\) takes no keyword arguments$"):
        function_of(acl, found)(**names)
    assert not c.calls


BARE = [found for found in ROWS if found.format == "" and not found.name.startswith("himpi.")]


@pytest.mark.parametrize("found", BARE, ids=lambda found: found.name)
def test_functions_without_parameters_ignore_what_they_get(acl: SimpleNamespace, c: Recorder, found: Row) -> None:
    function_of(acl, found)(1, "two", None)
    assert c.last == ()


IRREGULAR = {
    "rt.get_stream_res_limit": "acl.rt.get_stream_res_limit parse failed",
    "rt.set_stream_res_limit": "acl.rt.set_stream_res_limit parse failed",
    "rt.reset_stream_res_limit": "acl.rt.reset_stream_res_limit parse failed",
    "rt.use_stream_res_in_current_thread": "acl.rt.use_stream_res_in_current_thread parse failed",
    "rt.unuse_stream_res_in_current_thread": "acl.rt.unuse_stream_res_in_current_thread parse failed",
    "rt.get_res_in_current_thread": "acl.rt.get_res_in_current_thread parse failed",
    "rt.host_get_device_pointer": "acl.rt.host_get_device_pointer parse failed",
    "rt.set_sys_param_opt": "acl.rt.set_sys_param_opt args parse faild",
    "rt.get_sys_param_opt": "acl.rt.get_sys_param_opt args parse faild",
    "rt.get_devices_topo": "acl.rt.reset_device_res_limit args parse failed",
    "rt.set_op_execute_time_out": "acl.rt.set_op_execute_timeout args parse failed!",
    "prof.init": "acl.prof.Init args parse failed!",
    "prof.get_op_type_v2": "acl.prof.get_op_type args parse failed",
    "prof.get_op_type_len": "acl.prof.get_op_type args parse failed",
    "prof.get_op_name_v2": "acl.prof.get_op_name args parse failed",
    "prof.get_op_name_len": "acl.prof.get_op_name args parse failed",
    "prof.model_un_subscribe": "acl.prof.model_unsubscribe args parse failed",
    "mdl.load_from_file": "acl.mdl.load_from_file args parse failed!",
    "rt.memcpy": "acl.rt.memcpy args parse failed",
    "init": "acl.init args parse failed",
}


@pytest.mark.parametrize("name", IRREGULAR)
def test_irregular_texts(acl: SimpleNamespace, name: str) -> None:
    module, _, short = name.rpartition(".")
    with pytest.raises(TypeError) as caught:
        getattr(getattr(acl, module) if module else acl, short)(*[object()] * 9)
    assert str(caught.value) == IRREGULAR[name]


def test_functions_that_keep_the_text_of_python(acl: SimpleNamespace) -> None:
    cases: list[tuple[Any, tuple[Any, ...], str]] = [
        (acl.rt.get_event_id, (), "function takes exactly 1 argument (0 given)"),
        (acl.rt.get_event_id, (1, 2), "function takes exactly 1 argument (2 given)"),
        (acl.rt.get_event_id, ("e",), "argument 1 must be int, not str"),
        (acl.rt.get_event_id, (None,), "argument 1 must be int, not None"),
        (acl.op.register_compile_func, (), "function takes exactly 2 arguments (0 given)"),
        (acl.op.register_compile_func, ("Add",), "function takes exactly 2 arguments (1 given)"),
        (acl.op.register_compile_func, (3, print), "argument 1 must be str, not int"),
        (acl.op.register_compile_func, ("Add", 3), "argument 2 must be a callback function."),
        (acl.util.start_thread, (), "function takes exactly 2 arguments (0 given)"),
        (acl.util.start_thread, (3, []), "parameter must be callable"),
    ]
    for function, arguments, text in cases:
        with pytest.raises(TypeError) as caught:
            function(*arguments)
        assert str(caught.value) == text


def test_optional_paths(acl: SimpleNamespace, c: Recorder) -> None:
    acl.init()
    assert c.last == (None,)
    acl.init("")
    assert c.last == ("",)
    acl.mdl.set_dump("/tmp/acl.json")
    assert c.last == ("/tmp/acl.json",)
