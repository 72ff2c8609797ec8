"""npu-smi of the home: what programs read out of its answers, in the ways in which they do."""

from __future__ import annotations

import pytest

from ascend_sim.machine.profiles import load_profile, profile_names
from ascend_sim.native.home.npu_smi import main


def _said(capsys: pytest.CaptureFixture[str], words: str, **settings: str) -> tuple[int, str, str]:
    code = main(words.split(), {f"ASCEND_SIM_{name}": value for name, value in settings.items()})
    out, err = capsys.readouterr()
    return code, out, err


def _fields(text: str) -> dict[str, str]:
    return {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in text.splitlines())}


@pytest.mark.parametrize("soc", profile_names())
def test_the_table_is_whole_for_every_product(soc: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _said(capsys, "info", SOC=soc, DEVICES="3")
    lines = out.splitlines()
    assert code == 0 and "simulator" in err
    assert {len(line) for line in lines} == {len(lines[0])}
    assert all(line[0] == line[-1] and line[0] in "+|" for line in lines)
    chips = [line for line in lines if "| 0000:" in line]
    assert len(chips) == 3 and len({line.split("|")[2] for line in chips}) == 3
    megabytes = load_profile(soc).memory_bytes >> 20
    assert all(line.rstrip("| ").endswith(f"/ {megabytes}") for line in chips)


@pytest.mark.parametrize(
    ("soc", "name"), [("Ascend910B3", "910B3"), ("Ascend310P3", "310P3"), ("Ascend910_9392", "Ascend910")]
)
def test_the_third_word_of_the_seventh_line_is_the_name(
    soc: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = _said(capsys, "info", SOC=soc)
    assert out.splitlines()[6].split()[2] == name


def test_the_list_counts_cards_and_their_chips(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _said(capsys, "info -l", DEVICES="2")
    assert out == (
        "\tTotal Count                    : 2\n\n"
        "\tNPU ID                         : 0\n\tChip Count                     : 1\n\n"
        "\tNPU ID                         : 1\n\tChip Count                     : 1\n"
    )
    _, out, _ = _said(capsys, "info -l", DEVICES="4", SOC="Ascend910_9392")
    assert [line.split()[-1] for line in out.splitlines() if line] == ["2", "0", "2", "1", "2"]


def test_the_mapping_has_a_row_for_each_chip(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _said(capsys, "info -m", DEVICES="2")
    head, *rows = (line.split("  ") for line in out.splitlines())
    assert [word.strip() for word in head if word.strip()] == ["NPU ID", "Chip ID", "Chip Logic ID", "Chip Name"]
    cells = [[word.strip() for word in row if word.strip()] for row in rows]
    assert cells == [
        ["0", "0", "0", "Ascend 910B3"], ["0", "1", "-", "Mcu"], ["1", "0", "1", "Ascend 910B3"], ["1", "1", "-", "Mcu"]
    ]  # fmt: skip


@pytest.mark.parametrize("soc", ["Ascend910B3", "Ascend310P3", "Ascend910_9392", "Ascend950DT_9571"])
def test_the_board_gives_the_name_of_the_product(soc: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _said(capsys, "info -t board -i 0 -c 0", SOC=soc)
    fields = _fields(out)
    card = fields.get("NPU Name")
    assert soc == (f"{fields['Chip Name']}_{card}" if card else f"{fields['Chip Type']}{fields['Chip Name']}")


def test_usages_have_the_memory_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _said(capsys, "info -t usages -i 1 -c 0", DEVICES="2", LIMITS="memory=1073741824")
    assert _fields(out)["HBM Capacity(MB)"] == "1024" and _fields(out)["HBM Usage Rate(%)"] == "0"
    _, out, _ = _said(capsys, "info -t usages -i 0", SOC="Ascend910_9392", DEVICES="2")
    assert [line.split()[-1] for line in out.splitlines() if "Chip ID" in line] == ["0", "1"]


@pytest.mark.parametrize(
    "kind", ["board", "memory", "usages", "temp", "power", "common", "health", "product", "proc-mem"]
)
@pytest.mark.parametrize("rest", ["", " -i 0", " -i 0 -c 0"])
def test_every_type_is_lines_of_names_and_values(kind: str, rest: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _said(capsys, f"info -t {kind}{rest}")
    assert code == 0
    assert all(line.startswith("\t") and line[31:34] == " : " and line[34:] for line in out.splitlines() if line)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "a command is missing"), ("set -t reset -i 0", "set -t reset"), ("info -x", "-x"), ("info -t", "-t"),
        ("info -t cpu -i 0", "'cpu'"), ("info -t board -i 1", "'1'"), ("info -t board -i 0 -c 1", "'1'"),
        ("info -t board -i -1", "'-1'"), ("info -t board -i 99999999999999999999", "below 1"), ("info -t board -c 0", "-i"),
        ("info -i 0", "-t"), ("info -l -l", "-l"), ("info -t board -t board", "-t"),
    ],
)  # fmt: skip
def test_wrong_words_have_an_exit_code_and_no_output(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _said(capsys, words)
    assert (code, out) == (1, "") and said in err.splitlines()[1] and "Usage" in err


def test_wrong_settings_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "ASCEND_SIM_DEVICES" in _said(capsys, "info", DEVICES="two")[2]
    assert _said(capsys, "info", SOC="Ascend1")[0] == 1


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert _said(capsys, "-v")[1].split(":")[-1].strip()[0].isdigit()
    assert "info" in _said(capsys, "info -h")[1]
