"""Texts of others in an output: one line each, and no command of a CI system."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_sim import cli
from ascend_sim.om import Body, ModelDescription, TensorDescription, save
from ascend_sim.untrusted.escaping import escaped


@given(st.text(alphabet=st.characters(), max_size=20), st.text(alphabet="#[:v \n\r\x1b\u2028\u202e\ud800", max_size=9))
def test_no_text_ends_a_line_or_is_a_command(one: str, other: str) -> None:
    shown = escaped(one + other)
    assert shown.isprintable()
    assert len(shown.splitlines()) <= 1
    shown.encode()
    assert not shown.lstrip().startswith("::")
    assert "##[" not in shown
    assert "##v[" not in shown


@pytest.mark.parametrize("text", ["conv1/Relu:0", "a::b", "# 1 [2]", "\u00e9\u6587", "C:\\x", "", "##"])
def test_what_is_harmless_stays(text: str) -> None:
    assert escaped(text) == text


EVIL = ["x\n::error::y", "x\r##[error]y", "##vso[task.complete]", "\x1b[2Jx", "x\u202ey", "a\u2028b"]


@pytest.mark.parametrize("name", EVIL)
def test_describe_writes_names_of_the_file_with_escapes(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tensor = TensorDescription(name, 0, (1,))
    path = tmp_path / "evil.om"
    save(path, ModelDescription(name, (tensor,), (tensor,), Body("python", name)))
    assert cli.main(["om", "describe", str(path)]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 4
    assert all(line == escaped(line) for line in out.split("\n"))
    assert cli.main(["om", "describe", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == name


@pytest.mark.parametrize("name", EVIL)
def test_messages_about_a_file_write_them_with_escapes(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for source in (
        {"op": "Add", "attr": [{"name": name, "type": name, "value": 1}]},
        [{"op": name, "input_desc": [{}]}],
    ):
        (tmp_path / "op.json").write_text(json.dumps(source))
        assert cli.main(["om", "from-singleop", str(tmp_path / "op.json"), "-o", str(tmp_path)]) == 1
        err = capsys.readouterr().err
        assert err.startswith("ascend-sim om: ")
        assert len(err.splitlines()) == 1
        assert err[:-1] == escaped(err[:-1])
