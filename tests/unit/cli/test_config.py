"""`[tool.ascend_sim]`: every option of `run`, wrong keys, and what a file of somebody else must not do."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_sim.cli import config, info, run
from ascend_sim.findings import project_file

TABLE = """\
[tool.other]
devices = 7

[tool.ascend_sim]
devices = 2
schedule = "late"
check = ["memory", "races=raise"]
trust-kernel-files = true
json = "out/found.json"
suppress = ["leak"]
error-on = "warning"

[tool.another]
seed = 7
"""
WORDS = [
    "--devices=2", "--schedule=late", "--check=memory", "--check=races=raise", "--trust-kernel-files",
    "--json=HERE/out/found.json",
    "--error-on=warning",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for key in config.VARIABLES.values():
        monkeypatch.delenv(f"ASCEND_SIM_{key}", raising=False)
    monkeypatch.delenv("ASCEND_SIM_TRUST_KERNEL_FILES", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "p.py").touch()
    return tmp_path


def _words(folder: Path, text: str, program: str | None = "p.py") -> list[str]:
    (folder / "pyproject.toml").write_text(text)
    return [word.replace(str(folder), "HERE") for word in config.words_of_table(run.parser(), str(folder), program)]


def test_the_table_is_the_command_line(folder: Path) -> None:
    assert _words(folder, TABLE) == WORDS
    assert _words(folder, TABLE, None) == WORDS
    assert _words(folder, "[tool.other]\n") == []


def test_python_3_10_reads_the_same() -> None:
    assert project_file._read_plainly(TABLE) == {
        "devices": 2, "schedule": "late", "check": ["memory", "races=raise"], "trust-kernel-files": True,
        "json": "out/found.json", "suppress": ["leak"], "error-on": "warning",
    }  # fmt: skip


def test_variables_and_the_command_line_beat_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_SIM_DEVICES", "4")
    words = _words(folder, "[tool.ascend_sim]\ndevices = 2\nseed = 5\n")
    assert words == ["--seed=5"]
    assert run.parser().parse_args([*words, "--seed=6"]).seed == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("devcies = 2", "has no key 'devcies'; did you mean devices?"),
        ("qqq = 2", "has no key 'qqq'; `ascend-sim info --config` lists the keys"),
        ("update-baseline = true", "has no key 'update-baseline'"),
        ("devices = [2]", "devices takes one value"),
        ("devices = true", "devices takes text or a number"),
        ("trust-kernel-files = 'yes'", "trust-kernel-files is true or false"),
        ("limits = [{a = 1}]", "limits takes text or a number"),
    ],
)
def test_a_wrong_key_or_value_is_named(text: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError) as error:
        _words(folder, f"[tool.ascend_sim]\n{text}\n")
    assert said in str(error.value) and str(folder) in str(error.value)
    assert run.main(["p.py"]) == 2
    assert said in capsys.readouterr().err


def test_every_option_is_a_key() -> None:
    options = {name for action in run.parser()._actions for name in action.option_strings if name.startswith("--")}
    assert {f"--{key}" for key in config.keys(run.parser())} == options - {"--help", "--checks", "--update-baseline"}
    assert set(config.GUARDED) | set(config.VARIABLES) | set(config.LISTS) <= set(config.keys(run.parser()))


@pytest.mark.parametrize("key", config.GUARDED)
def test_a_file_lets_no_code_run_and_writes_nothing_for_programs_elsewhere(key: str, folder: Path) -> None:
    (folder / "here").mkdir()
    value = "true" if key == "trust-kernel-files" else '"x"'
    (folder / "here" / "pyproject.toml").write_text(f"[tool.ascend_sim]\n{key} = {value}\n")
    line, here = run.parser(), str(folder / "here")
    (folder / "here" / ".git").mkdir()
    with pytest.raises(ValueError, match=f"{key} counts only for programs in its folder"):
        config.words_of_table(line, here, str(folder / "p.py"))
    assert config.words_of_table(line, here, str(folder / "here" / "q.py"))


def test_info_shows_the_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pyproject.toml").write_text(TABLE)
    assert info.main(["--config"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"# {folder}/pyproject.toml\n[tool.ascend_sim]\n")
    assert "\ndevices = 2\n" in text and '\ncheck = ["memory", "races=raise"]\n' in text and "\n# seed =\n" in text
    (folder / "pyproject.toml").write_text("[tool.ascend_sim]\ndevcies = 2\n")
    assert info.main(["--config"]) == 2
    assert "did you mean devices?" in capsys.readouterr().err
