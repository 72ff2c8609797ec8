"""Engines: slots of cores and copy engines, who waits, what copies cost."""

import pytest

from ascend_sim.machine.engines import Engines, copy_cost, memset_cost
from ascend_sim.machine.profiles import load_profile


class Waiter:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


@pytest.fixture
def engines():
    return Engines(load_profile("Ascend910B3"))


def test_capacities_come_from_the_profile(engines):
    assert engines.capacity == {"aic": 20, "aiv": 40, "mix": 20, "h2d": 2, "d2h": 2, "d2d": 4}
    assert Engines(load_profile("Ascend310P3")).capacity["mix"] == 8


def test_a_kernel_with_more_blocks_than_cores_takes_all_of_them(engines):
    assert engines.try_acquire("aiv", 1000) == 40
    assert engines.free("aiv") == 0
    assert engines.free("aic") == 20
    assert engines.release("aiv", 40) == []
    assert engines.free("aiv") == 40


def test_a_mix_block_takes_a_cube_core_and_its_vector_cores(engines):
    assert engines.try_acquire("mix", 5) == 5
    assert (engines.free("aic"), engines.free("aiv"), engines.free("mix")) == (15, 30, 15)
    engines.release("mix", 5)
    assert (engines.free("aic"), engines.free("aiv")) == (20, 40)


def test_a_kernel_in_normal_mode_starts_with_the_slots_that_are_free(engines):
    assert engines.try_acquire("aic", 15) == 15
    assert engines.try_acquire("aic", 20, least=1) == 5
    assert engines.try_acquire("aic", 20, least=1) == 0


def test_batch_mode_waits_for_all_slots(engines):
    engines.try_acquire("aic", 1)
    waiter = Waiter("batch")
    assert engines.try_acquire("aic", 20, waiter=waiter) == 0
    assert engines.waiting("aic") == 1
    assert engines.release("aic", 1) == [waiter]
    assert engines.try_acquire("aic", 20, waiter=waiter) == 20
    assert engines.waiting("aic") == 0


def test_nobody_overtakes_who_came_first_for_the_same_cores(engines):
    engines.try_acquire("aic", 15)
    first, second = Waiter("first"), Waiter("second")
    assert engines.try_acquire("aic", 20, waiter=first) == 0
    assert engines.try_acquire("aic", 1, waiter=second) == 0
    assert engines.try_acquire("aiv", 1, waiter=Waiter("vector")) == 1
    assert engines.release("aic", 15) == [first]
    assert engines.try_acquire("aic", 20, waiter=first) == 20
    assert engines.try_acquire("aic", 1, waiter=second) == 0
    assert engines.release("aic", 20) == [second]


def test_release_wakes_as_many_as_fit(engines):
    engines.try_acquire("d2d", 4)
    waiters = [Waiter(str(i)) for i in range(5)]
    for waiter in waiters:
        assert engines.try_acquire("d2d", 1, waiter=waiter) == 0
    assert engines.release("d2d", 3) == waiters[:3]
    assert [engines.try_acquire("d2d", 1, waiter=w) for w in waiters[:3]] == [1, 1, 1]
    assert engines.waiting("d2d") == 2


def test_asking_again_does_not_queue_twice(engines):
    engines.try_acquire("h2d", 2)
    waiter = Waiter("copy")
    engines.try_acquire("h2d", 1, waiter=waiter)
    engines.try_acquire("h2d", 1, waiter=waiter)
    assert engines.waiting("h2d") == 1


def test_who_withdraws_lets_the_next_go(engines):
    engines.try_acquire("aic", 15)
    big, small = Waiter("big"), Waiter("small")
    engines.try_acquire("aic", 20, waiter=big)
    engines.try_acquire("aic", 5, waiter=small)
    assert engines.withdraw("aic", small) == []
    engines.try_acquire("aic", 5, waiter=small)
    assert engines.withdraw("aic", big) == [small]
    assert engines.try_acquire("aic", 5, waiter=small) == 5


def test_a_mix_kernel_blocks_both_pools_for_later_ones(engines):
    engines.try_acquire("aiv", 40)
    mix, vector, cube = Waiter("mix"), Waiter("vector"), Waiter("cube")
    assert engines.try_acquire("mix", 2, waiter=mix) == 0
    assert engines.try_acquire("aiv", 1, waiter=vector) == 0
    assert engines.try_acquire("aic", 1, waiter=cube) == 0
    assert engines.release("aiv", 40) == [mix, vector, cube]


def test_costs_grow_with_size_and_are_whole_nanoseconds():
    profile = load_profile()
    for kind in ("h2d", "d2h", "d2d", "peer", "h2h"):
        small, large = copy_cost(profile, kind, 0), copy_cost(profile, kind, 1 << 30)
        assert isinstance(small, int) and isinstance(large, int)
        assert 0 < small < large
    assert copy_cost(profile, "h2d", 25_000_000) == 4000 + 1_000_000
    assert memset_cost(profile, 0) < memset_cost(profile, 1 << 30)
