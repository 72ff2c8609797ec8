"""`ascend-sim info` and the command line's own manners."""

from __future__ import annotations

import json

import pytest

from ascend_sim._version import __version__
from ascend_sim.cli import COMMANDS, main
from ascend_sim.machine.profiles import SWITCHES, load_profile, profile_names


def test_all_products_in_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n{name} " in text for name in profile_names())


def test_one_product_with_the_limits_that_can_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--soc", "Ascend310P3"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Ascend310P3 ")
    assert "--limits events=N changes it" in text


def test_json_has_profiles_and_switches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--soc", "Ascend910B3", "--switches", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["version"] == __version__
    assert [p["stream_limit"] for p in value["profiles"]] == [load_profile("Ascend910B3").stream_limit]
    assert [s["name"] for s in value["switches"]] == list(SWITCHES)


def test_switches_show_values_and_mark_the_current_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--switches"]) == 0
    assert "zero_timeout:  [refused] | accepted" in capsys.readouterr().out


def test_an_unknown_product_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--soc", "Ascend910B33"]) == 2
    assert "Ascend910B3" in capsys.readouterr().err


def test_help_version_and_wrong_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMMANDS)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ascend-sim {__version__}\n"
    assert main([]) == 2
    assert main(["train.py"]) == 2
    assert "did you mean `ascend-sim run train.py`?" in capsys.readouterr().err
    assert main(["rnu", "train.py"]) == 2
    assert "did you mean `ascend-sim run`?" in capsys.readouterr().err
