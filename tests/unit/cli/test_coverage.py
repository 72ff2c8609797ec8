"""`ascend-sim coverage` counts from the code itself."""

from __future__ import annotations

import json
import re

import pytest

from ascend_sim.aclnn import loading
from ascend_sim.ascendcl import implemented
from ascend_sim.catalogue.aclnn import operators
from ascend_sim.catalogue.functions import functions
from ascend_sim.cli import main


def test_json_lists_every_function_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    names = [row["name"] for row in value["list"]]
    assert sorted(names) == sorted(functions())
    assert {row["name"] for row in value["list"] if row["modelled"]} == implemented()
    assert value["modelled"] == len(implemented())


def test_the_table_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage"]) == 0
    rows = capsys.readouterr().out.splitlines()
    cells = [re.findall(r"(\d+)/(\d+)", row)[-1] for row in rows[1:] if re.search(r"\d+/\d+", row)]
    *chapters, together = [(int(done), int(total)) for done, total in cells]
    assert (sum(d for d, _ in chapters), sum(t for _, t in chapters)) == together
    assert together == (len(implemented()), len(functions()))


def test_the_rows_of_the_conformance_run_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage"]) == 0
    text = capsys.readouterr().out
    cells = [(int(done), int(total)) for done, total in re.findall(r"  (\d+) of (\d+)\n", text)]
    *chapters, together = cells
    general = 120  # rows about every call, or a family of them, count to no chapter of the table
    assert 0 <= together[1] - sum(total for _, total in chapters) <= general
    assert f"{together[0]} of {together[1]} passed" in text
    assert main(["coverage", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["conformance"]["together"]["rows"] == together[1]


def test_a_chapter_and_tier_list_their_functions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--chapter", "event", "--tier", "A"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"modelled +A +aclrtRecordEvent\n", text)
    assert "aclrtMalloc" not in text
    with pytest.raises(SystemExit):
        main(["coverage", "--chapter", "no such chapter"])


def test_the_names_of_pyacl_are_counted_by_namespace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--pyacl"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"acl\.util +7/7\n", text)
    assert re.search(r"together +\d+/742\n", text)
    assert re.search(r"acl\.media +\d+/177\n", text)
    assert main(["coverage", "--pyacl", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["functions"] == len(value["list"]) == 742
    assert {"name": "acl.rt.malloc", "c_function": "aclrtMalloc", "modelled": True} in value["list"]


def test_operators_are_listed_by_what_computes_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "torch_installed", lambda: False)
    monkeypatch.setattr(loading, "torch_bodies", dict)
    assert main(["coverage", "--aclnn"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"\n  numpy +aclnnAdd\n", text)
    assert re.search(rf"numpy +\d+/{len(operators())}\n", text)
    assert "torch is not installed" in text
    assert re.search(r"\n  single +npu_silu\n", text) and re.search(r"\n  none +npu_sub_sample: no SubSample\n", text)
    assert re.search(r"Of 108 operators of torch_npu .* by name, \d+ find all", text)
    assert main(["coverage", "--aclnn", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["operators"] == len(operators()) == len(value["list"])
    assert value["modelled"] == value["numpy"] == len(loading.numpy_bodies())
    assert value["compiled_by_name"]["npu_gru"] == {"modelled": True, "lacking": []}
    assert value["compiled_by_name"]["npu_sub_sample"] == {"modelled": False, "lacking": ["SubSample"]}
    assert main(["coverage", "--aclnn", "--missing"]) == 0
    text = capsys.readouterr().out
    assert "aclnnAdd\n" not in text and "npu_silu\n" not in text
