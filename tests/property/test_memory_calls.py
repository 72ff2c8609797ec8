"""Random memory calls, valid and not, against a small model written from docs/semantics/memory.md: all codes agree."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from ascend_sim import ascendcl as C
from ascend_sim.simulator import Simulator

CAPACITY = 5 << 20
HUGE_PAGE = 2 << 20
N = 2048

# Section 3 of the semantics, read again: (source, destination) -> codes of the kinds 0 to 4.
# q queued, p waits and copies, h 207000, x 107000.
TABLE = {
    "HH": "hhhhh", "HD": "qqqqq", "HU": "hpxxh",
    "DH": "qqqqq", "DD": "qqqqq", "DU": "xxpqp",
    "UH": "hxpxh", "UD": "xpxqp", "UU": "hppqh",
}  # fmt: skip


class Range:
    """An address as a program may hold it: where it lives, and how many bytes from it may be touched."""

    def __init__(self, address, place, room, start=True):
        self.address = address
        self.place = place  # H page-locked, D device, U other host memory, F freed device, N nothing, 0 null
        self.room = room
        self.start = start


class MemoryCalls(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.sim = Simulator(limits={"memory": CAPACITY, "host_memory": CAPACITY}, checks="memory").open()
        assert C.aclrtSetDevice(0) == 0
        self.context, _ = C.aclrtGetCurrentContext()
        self.stream, _ = C.aclrtCreateStream()
        self.dead, _ = C.aclrtCreateStream()
        assert C.aclrtDestroyStream(self.dead) == 0
        self.other, _ = C.aclrtCreateContext(0)
        self.foreign, _ = C.aclrtCreateStream()
        assert C.aclrtSetCurrentContext(self.context) == 0
        self.plain = np.zeros(2 * N, np.uint8)
        self.known = [
            Range(0, "0", 0),
            Range(0x1234, "N", 0),
            Range(self.plain.ctypes.data, "U", N),
            Range(self.plain.ctypes.data + N, "U", N),
        ]
        self.live = {}
        self.used = {"D": 0, "H": 0}

    @initialize()
    def something_to_work_with(self):
        for _ in range(2):
            self.malloc(N, 0)
            self.malloc_host(N)

    def pick(self, number):
        return self.known[number % len(self.known)]

    def current(self):
        return C.aclrtGetCurrentContext()[1] == 0

    # -- allocating ----------------------------------------------------------------------------------------------------

    def made(self, address, place, rounded, taken=None):
        self.used[place] += taken or rounded
        self.live[address] = (place, rounded, taken or rounded)
        self.known.append(Range(address, place, rounded))
        if rounded > 64:
            self.known.append(Range(address + 64, place, rounded - 64, start=False))

    @rule(size=st.sampled_from([0, 1, 100, N, CAPACITY // 3, CAPACITY, (1 << 64) - 1]), policy=st.integers(0, 8))
    def malloc(self, size, policy):
        address, code = C.aclrtMalloc(size, policy)
        rounded = (size + 31) // 32 * 32 + (0 if policy in (6, 7) else 32)
        taken, free = rounded, CAPACITY - self.used["D"]
        whole = -(-rounded // HUGE_PAGE) * HUGE_PAGE
        if policy in (6, 7):
            taken = 1 << 30
        elif policy in (1, 4) or (policy not in (2, 5) and rounded > 1 << 20 and whole <= free):
            taken = whole
        if size in (0, (1 << 64) - 1):
            assert (address, code) == (0, 100000)
        elif not self.current():
            assert (address, code) == (0, 107002)
        elif taken > free:
            assert (address, code) == (0, 207001)
        else:
            assert code == 0
            self.made(address, "D", rounded, taken)

    @rule(size=st.sampled_from([0, 1, 100, N, CAPACITY // 3, CAPACITY]))
    def malloc_host(self, size):
        address, code = C.aclrtMallocHost(size)
        rounded = (size + 31) // 32 * 32
        if not size:
            assert (address, code) == (0, 100000)
        elif not self.current():
            assert (address, code) == (0, 107002)
        elif rounded > CAPACITY - self.used["H"]:
            assert (address, code) == (0, 207001)
        else:
            assert code == 0
            self.made(address, "H", rounded)

    @rule(which=st.integers(0, 1000), host=st.booleans())
    def free(self, which, host):
        chosen = self.pick(which)
        code = C.aclrtFreeHost(chosen.address) if host else C.aclrtFree(chosen.address)
        place, rounded, taken = self.live.get(chosen.address, (None, 0, 0))
        if not chosen.address:
            assert code == 100000
        elif place is None or (host and place != "H"):
            assert code == 107000
        else:
            assert code == 0
            del self.live[chosen.address]
            self.used[place] -= taken
            inside = range(chosen.address, chosen.address + rounded)
            for known in self.known:
                if known.address in inside:
                    known.place, known.room = "F" if place == "D" else "G", 0

    # -- copying and setting -------------------------------------------------------------------------------------------

    @rule(to=st.integers(0, 1000), source=st.integers(0, 1000), kind=st.integers(0, 7),
          count=st.sampled_from([0, 1, 64, N, N + 4096]), room=st.sampled_from([0, 64, 1 << 20]))  # fmt: skip
    def memcpy(self, to, source, kind, count, room):
        to, source = self.pick(to), self.pick(source)
        if self.wild(to, count) or self.wild(source, count):
            return
        code = C.aclrtMemcpy(to.address, room, source.address, count, kind)
        assert code == self.memcpy_code(to, source, kind, count, room)

    def memcpy_code(self, to, source, kind, count, room):
        if not count:
            return 0
        if not to.address or not source.address or kind > 5:
            return 100000
        if count > room:
            return 107000
        if to.address == source.address:
            return 0
        if not self.current():
            return 107002
        return self.ranges_code(to, source, count)

    def ranges_code(self, *ranges):
        *ranges, count = ranges
        return 0 if all(self.usable(r, count) for r in ranges) else 107000

    @staticmethod
    def usable(chosen, count):
        return chosen.place in "HDU" and count <= chosen.room

    @staticmethod
    def wild(chosen, count):
        """Beyond plain memory there is somebody's memory: no simulator can tell, and the test itself would crash."""
        return chosen.place == "U" and count > chosen.room

    @rule(to=st.integers(0, 1000), source=st.integers(0, 1000), kind=st.integers(0, 6),
          count=st.sampled_from([0, 1, 64, N]), room=st.sampled_from([0, 64, 1 << 20]),
          stream=st.sampled_from(["null", "own", "foreign", "dead"]))  # fmt: skip
    def memcpy_async(self, to, source, kind, count, room, stream):
        to, source = self.pick(to), self.pick(source)
        handle = {"null": None, "own": self.stream, "foreign": self.foreign, "dead": self.dead}[stream]
        code = C.aclrtMemcpyAsync(to.address, room, source.address, count, kind, handle)
        assert code == self.memcpy_async_code(to, source, kind, count, room, stream)

    def memcpy_async_code(self, to, source, kind, count, room, stream):
        if not count:
            return 0
        if not to.address or not source.address or kind > 5:
            return 100000
        if stream == "dead":
            return 107017
        if count > room:
            return 107000
        if not self.current():
            return 107002
        if "F" in (to.place, source.place):
            return 507899
        where = {"H": "H", "D": "D"}
        pair = where.get(source.place, "U") + where.get(to.place, "U")  # freed page-locked memory is unknown again
        if kind == 5:
            if pair not in ("HD", "UD"):
                return 107000
            way = "q"
        else:
            way = TABLE[pair][kind]
        if way in "hx":
            return 207000 if way == "h" else 107000
        if to.address == source.address:
            return 0
        if way == "q" and stream == "foreign":
            return 107003
        return self.ranges_code(to, source, count)

    @rule(which=st.integers(0, 1000), count=st.sampled_from([0, 1, N, N + 4096]), room=st.sampled_from([0, 1, 1 << 20]))
    def memset(self, which, count, room):
        chosen = self.pick(which)
        if self.wild(chosen, count):
            return
        code = C.aclrtMemset(chosen.address, room, 7, count)
        if not count:
            assert code == 0
        elif not chosen.address:
            assert code == 100000
        elif not self.current():
            assert code == 107002
        else:
            assert code == (107000 if count > room else self.ranges_code(chosen, count))

    @rule(which=st.integers(0, 1000), count=st.sampled_from([0, 1, N]), room=st.sampled_from([0, 1, 1 << 20]),
          stream=st.sampled_from(["null", "own", "foreign", "dead"]))  # fmt: skip
    def memset_async(self, which, count, room, stream):
        chosen = self.pick(which)
        handle = {"null": None, "own": self.stream, "foreign": self.foreign, "dead": self.dead}[stream]
        code = C.aclrtMemsetAsync(chosen.address, room, 7, count, handle)
        if not count:
            expected = 0
        elif not chosen.address:
            expected = 100000
        elif stream == "dead":
            expected = 107017
        elif count > room:
            expected = 107000
        elif not self.current():
            expected = 107002
        elif stream == "foreign":
            expected = 107003
        elif chosen.place == "F":
            expected = 507899
        else:
            expected = self.ranges_code(chosen, count)
        assert code == expected

    @rule(which=st.integers(0, 1000), shift=st.integers(0, 1), size=st.sampled_from([0, 4, 64]),
          n=st.sampled_from([0, 1, 16]))  # fmt: skip
    def memset_d32(self, which, shift, size, n):
        chosen = self.pick(which)
        address = chosen.address + shift
        code = C.aclrtMemsetD32(address, size, 7, n)
        if not n:
            expected = 0
        elif not address or address % 4 or size < 4 * n:
            expected = 100000
        elif chosen.place == "F":
            expected = 507899
        elif chosen.place not in "HD":
            expected = 100000
        elif not self.current():
            expected = 107002
        else:
            expected = self.ranges_code(chosen, 4 * n)
        assert code == expected

    # -- asking, and changing contexts ---------------------------------------------------------------------------------

    @rule(which=st.integers(0, 1000))
    def attributes(self, which):
        chosen = self.pick(which)
        attributes, code = C.aclrtPointerGetAttributes(chosen.address)
        if not chosen.address:
            assert code == 100000
        elif chosen.place == "F":
            assert code == 507899
        else:
            assert code == 0
            assert attributes.location.type == {"H": 0, "D": 1}.get(chosen.place, 2)

    @rule()
    def synchronize(self):
        assert C.aclrtSynchronizeStream(self.stream) == (0 if self.current() else 107002)

    @rule()
    def lose_the_context(self):
        if not self.current():
            assert C.aclrtSetCurrentContext(self.context) == 0
            return
        made, code = C.aclrtCreateContext(0)
        assert code == 0
        assert C.aclrtDestroyContext(made) == 0

    @invariant()
    def memory_is_what_is_left(self):
        if self.current():
            assert C.aclrtGetMemInfo(1) == (CAPACITY - self.used["D"], CAPACITY, 0)

    def teardown(self):
        assert C.aclrtSetCurrentContext(self.context) == 0
        assert C.aclrtSynchronizeDevice() == 0
        self.sim.close()


def test_every_code_agrees_with_the_model():
    run_state_machine_as_test(
        MemoryCalls, settings=settings(max_examples=80, stateful_step_count=50, deadline=None)
    )
