"""``ascend-sim bench``: rows are chosen by name, and every group can be measured. No figure is compared with its bar."""

import json

import pytest

from ascend_sim.cli.bench import main as bench
from ascend_sim.cli.bench.floors import Settings


def names(*patterns):
    return [row.name for row in bench.chosen(patterns)]


def test_rows_are_chosen_by_name_and_pattern():
    assert names("copy_64MiB", "memset_*") == ["memset_64", "memset_64_memory", "memset_64_checked", "copy_64MiB"]
    everything = [row.name for group in bench.GROUPS for row in group.rows]
    assert len(set(everything)) == len(everything)
    assert "checks_none" in names("*") and "checks_none" not in names()
    with pytest.raises(ValueError, match="no row is called nothing_64: there are task_inside, "):
        names("memset_64", "nothing_64")


def test_small_copies_have_a_bar_for_each_way_to_check():
    bars = {row.name: row.bar for row in bench.chosen(["memset_64*", "copy_h2d_64*", "copy_d2d_64*"])}
    for kind in ("memset_64", "copy_h2d_64", "copy_d2d_64"):
        assert [bars[kind + end] for end in ("", "_memory", "_checked")] == [20, 25, 40]


def test_medians_of_several_runs(capsys):
    rows = ["memset_64", "simulator"]
    assert bench.main([*rows, "--runs", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(told["figures"]) == sorted(rows)
    assert all(
        len(each) == 2 and min(each) <= told["figures"][name][0] <= max(each) for name, each in told["runs"].items()
    )
    assert bench.main(["simulator", "kernel_sync"]) == 0
    assert "a Simulator with checks none" in capsys.readouterr().out


def test_an_unknown_row_is_refused(capsys):
    with pytest.raises(SystemExit) as end:
        bench.main(["tasks_inside"])
    assert end.value.code == 2 and "no row is called tasks_inside" in capsys.readouterr().err


def test_the_plan_is_measured_in_the_length_that_was_asked_for():
    assert set(bench.measure(["plan_ascendcl"], Settings(tasks=500))) == {"plan_ascendcl"}
