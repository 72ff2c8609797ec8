"""Chapter 12: limits of operators, in steps of the hardware (docs/semantics/process.md#time-outs-of-operators)."""

import pytest

from ascend_sim import ascendcl as C

A2, A3, P310, B310, TRN, A950 = (
    "Ascend910B1",
    "Ascend910_9392",
    "Ascend310P3",
    "Ascend310B1",
    "Ascend910A",
    "Ascend950PR_9599",
)
NEVER_MS, NEVER_US = 0xFFFF_FFFF, (1 << 64) - 1
LONGEST_US = 254 * 4_294_967.296


def limit(world):
    return world.must(C.aclrtGetOpExecuteTimeout())


@pytest.mark.parametrize(
    ("soc", "milliseconds"),
    [(A2, 1090922), (A3, 1090922), (A950, 1090922), (B310, 1090922), (P310, 547609), (TRN, 68720)],
)
def test_limits_without_a_call(build, soc, milliseconds):
    assert limit(build(soc=soc)) == milliseconds


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [(1, 4295), (4, 4295), (5, 8590), (1090, 1090922), (1091, 1090922), (100_000, 1090922), (0, 1090922)],
)
def test_seconds_round_up_to_steps_and_stop_at_the_longest(world, seconds, milliseconds):
    assert C.aclrtSetOpExecuteTimeOut(seconds) == 0
    assert limit(world) == milliseconds


def test_milliseconds(world):
    assert C.aclrtSetOpExecuteTimeOutWithMs(4296) == 0
    assert limit(world) == 8590
    assert C.aclrtSetOpExecuteTimeOutWithMs(5_000_000) == 0
    assert limit(world) == 1_000_728, "1000 s at most"


@pytest.mark.parametrize(
    ("wanted", "actual"),
    [(50, 100), (100, 100), (101, 200), (25_400, 25_400), (25_401, 25_400), (30_000, 25_400), (1 << 40, 25_400)],
)
def test_microseconds_with_fine_steps(build, wanted, actual):
    world = build(switches={"op_timeout_interval": 100})
    assert C.aclrtGetOpTimeOutInterval() == (100, 0)
    assert C.aclrtSetOpExecuteTimeOutV2(wanted) == (actual, 0)
    assert limit(world) == -(-actual // 1000)


def test_none_at_all_with_fine_steps(build):
    world = build(switches={"op_timeout_interval": 1000})
    assert C.aclrtSetOpExecuteTimeOutV2(0) == (NEVER_US, 0)
    assert limit(world) == NEVER_MS
    assert C.aclrtSetOpExecuteTimeOut(1) == 0
    assert limit(world) == 254


def test_zero_microseconds_with_coarse_steps_is_the_longest(world):
    assert C.aclrtGetOpTimeOutInterval() == (4_294_967, 0)
    assert C.aclrtSetOpExecuteTimeOutV2(0) == (int(LONGEST_US), 0)
    assert limit(world) == 1090922


def test_the_limit_belongs_to_the_process(world, background):
    world.must(C.aclrtSetOpExecuteTimeOut(5))
    world.must(C.aclrtCreateContext(0))
    assert limit(world) == 8590


def test_who_needs_a_context(world):
    world.must(C.aclrtResetDevice(0))
    assert C.aclrtSetOpExecuteTimeOut(1) == 0
    assert C.aclrtSetOpExecuteTimeOutWithMs(1) == 0
    assert C.aclrtGetOpExecuteTimeout()[1] == 0
    assert C.aclrtSetOpExecuteTimeOutV2(1)[1] == 107002
    assert C.aclrtGetOpTimeOutInterval()[1] == 107002


def test_the_largest_values(world):
    for value in (0xFFFF_FFFF, 0x8000_0000):
        assert C.aclrtSetOpExecuteTimeOut(value) == 0
        assert limit(world) == 1090922
