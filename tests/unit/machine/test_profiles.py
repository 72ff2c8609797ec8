"""Profiles: every SoC name, documented values, limits, switches."""

import subprocess
import sys

import pytest

from ascend_sim.machine.profiles import LIMITS, SWITCHES, Costs, load_profile, profile_names
from ascend_sim.machine.switches import settle


def test_every_soc_name_of_the_table_has_a_profile():
    names = profile_names()
    assert len(names) == 62
    for name in names:
        profile = load_profile(name)
        assert profile.name == name
        assert profile.cube_cores > 0 and profile.vector_slots > 0
        assert profile.memory_bytes >= 8 << 30
        assert profile.queue_depth > 2000 and profile.stream_limit >= 512


def test_the_default_soc_is_the_manual_s_a2_card():
    profile = load_profile()
    assert profile.name == "Ascend910B3"
    assert (profile.family, profile.product, profile.npu_arch) == ("910b", "A2", 2201)
    assert (profile.ai_cores, profile.cube_cores, profile.vector_cores) == (20, 20, 40)
    assert (profile.memory_bytes, profile.memory_kind) == (64 << 30, "HBM")
    assert (profile.stream_limit, profile.event_limit, profile.notify_limit) == (1984, 65536, 8192)
    assert profile.queue_depth == 2013
    assert profile.event_tick_ns == 20


@pytest.mark.parametrize(
    ("name", "streams", "events", "notifies", "depth", "padding", "kind"),
    [
        ("Ascend310", 1024, 1023, 1024, 2042, 32, "DDR"),
        ("Ascend310B1", 512, 65536, 2048, 2010, 32, "DDR"),
        ("Ascend310P3", 1024, 1023, 1024, 2042, 32, "DDR"),
        ("Ascend910A", 2048, 65535, 1024, 2042, 32, "HBM"),
        ("Ascend910_9391", 1984, 65536, 8192, 2013, 32, "HBM"),
        ("Ascend950PR_9589", 1984, 65536, 65535, 2014, 0, "HBM"),
    ],
)
def test_products_differ_where_the_tables_say_so(name, streams, events, notifies, depth, padding, kind):
    profile = load_profile(name)
    assert (profile.stream_limit, profile.event_limit, profile.notify_limit) == (streams, events, notifies)
    assert (profile.queue_depth, profile.padding_size, profile.memory_kind) == (depth, padding, kind)


def test_features_follow_the_product():
    assert "giant_pages" in load_profile("Ascend910B3").supports
    assert "giant_pages" not in load_profile("Ascend950PR_9589").supports
    assert "counting_notify" in load_profile("Ascend950PR_9589").supports
    assert "counting_notify" not in load_profile("Ascend910_9391").supports
    assert "event_ipc" not in load_profile("Ascend950DT_9591").supports
    assert "event_ipc" in load_profile("Ascend950PR_9589").supports


def test_an_unknown_name_names_the_near_ones():
    with pytest.raises(ValueError, match=r"no SoC named 'Ascend910B9'.*Ascend910B"):
        load_profile("Ascend910B9")


def test_limits_change_one_field_each_and_nothing_else():
    plain = load_profile()
    for limit, field in LIMITS.items():
        changed = load_profile(limits={limit: 7})
        assert getattr(changed, field) == 7
        assert changed.switches == plain.switches
    assert load_profile().queue_depth == 2013


@pytest.mark.parametrize("limits", [{"depth": 3}, {"streams": 0}, {"streams": -1}, {"streams": "5"}])
def test_wrong_limits_are_refused(limits):
    with pytest.raises(ValueError, match="limit"):
        load_profile(limits=limits)


def test_switches_have_a_default_among_their_values_and_say_where_they_come_from():
    for name, switch in SWITCHES.items():
        assert switch.name == name
        assert switch.default in switch.values
        assert len(switch.values) >= 2
        assert switch.meaning
        for value in switch.values:
            assert name in settle("910b", {name: value})


def test_no_settled_switch_is_left_to_the_chip():
    for name in profile_names():
        assert "by-chip" not in load_profile(name).switches.values()
    assert load_profile("Ascend910B3").switches["event_exhaustion"] == "error"
    assert load_profile("Ascend310P3").switches["event_exhaustion"] == "wait"
    assert load_profile("Ascend950PR_9589").switches["many_blocks"] == 107000


def test_the_stream_limit_follows_its_switch():
    assert load_profile(switches={"stream_limit": "physical"}).stream_limit == 2038
    assert load_profile(switches={"stream_limit": "allocatable"}).stream_limit == 32768
    assert load_profile(switches={"stream_limit": "allocatable"}, limits={"streams": 3}).stream_limit == 3


def test_a_number_may_come_as_text():
    assert load_profile(switches={"capture_sync": "107041"}).switches["capture_sync"] == 107041


@pytest.mark.parametrize("switches", [{"no_such": 1}, {"capture_sync": 5}, {"reset_device": "maybe"}])
def test_wrong_switches_are_refused_with_the_choices(switches):
    with pytest.raises(ValueError, match="switch"):
        load_profile(switches=switches)


def test_costs_are_whole_numbers():
    costs = Costs()
    assert costs.host_call_ns == 1000
    assert all(isinstance(getattr(costs, name), int) for name in Costs.__annotations__)


def test_importing_reads_no_data_file():
    code = (
        "import sys, ascend_sim.machine.profiles as p; "
        "assert p._table.cache_info().currsize == 0; p.load_profile(); assert p._table.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
