"""Memory that processes share by a key: bytes, lists, codes, what its owner takes away."""

from __future__ import annotations

import ctypes
import os
import re

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.machine.virtual_memory import VirtualMemory
from tests.kit.calls import must, simulator
from tests.kit.pairs import Side, one_run, pair

pytestmark = pytest.mark.skipif(not VirtualMemory.supported(), reason="this system cannot show pages of others")

sim = simulator(devices=2)
REFUSED = 507899
STALE = 0xDEAD_0000_0010
OPEN, LISTED = 1, 0
"""The flags of an export."""


@pytest.fixture
def side(sim: Simulator):
    """A process alone, which opens its own keys."""
    with one_run():
        yield Side(sim, None)


def export(side: Side, address: int, size: int = 4096, flags: int = OPEN) -> str:
    return side.key("aclrtIpcMemGetExportKey", address, size, flags)


# -- one process: where the bytes are --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [64, 4096, 5000, 100_000, 4 << 20])
def test_an_imported_block_has_the_bytes_of_the_exported_one(side: Side, size: int) -> None:
    before, block, after = side.malloc(512, 1), side.malloc(size, 2), side.malloc(512, 3)
    other = must(C.aclrtIpcMemImportByKey(export(side, block, size), 0))
    assert other != block and side.bytes_at(other + size - 8) == b"\2" * 8
    must(C.aclrtMemset(other, size, 9, size))
    assert side.bytes_at(block) == side.bytes_at(block + size - 8) == b"\t" * 8
    must(C.aclrtMemset(block + 8, 8, 7, 8))
    assert side.bytes_at(other, 24) == b"\t" * 8 + b"\7" * 8 + b"\t" * 8
    assert (side.bytes_at(before), side.bytes_at(after)) == (b"\1" * 8, b"\3" * 8), "neighbours have their own"
    assert side.kinds() == []


def test_blocks_in_one_page_are_exported_one_after_the_other(side: Side) -> None:
    blocks = [side.malloc(256, value) for value in range(8)]
    others = [
        must(C.aclrtIpcMemImportByKey(export(side, block, 256), 0)) for block in (blocks[1], blocks[5], blocks[2])
    ]
    for place, value in ((0, 101), (1, 105), (2, 102)):
        must(C.aclrtMemset(others[place], 256, value, 256))
    assert [side.bytes_at(block)[0] for block in blocks] == [0, 101, 102, 3, 4, 105, 6, 7]


def test_copies_that_were_queued_before_the_export_reach_the_shared_bytes(side: Side) -> None:
    block, source, stream = side.malloc(4096, 0), side.malloc(4096, 5), side.stream()
    for _ in range(4):  # the later ones have found the bytes already
        must(C.aclrtMemcpyAsync(block, 4096, source, 4096, 3, stream))
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtMemset(block, 4096, 0, 4096))
    must(C.aclrtMemcpyAsync(block, 4096, source, 4096, 3, stream))
    other = must(C.aclrtIpcMemImportByKey(export(side, block), 0))
    must(C.aclrtMemcpyAsync(source, 4096, block, 4096, 3, stream))
    must(C.aclrtSynchronizeStream(stream))
    assert side.bytes_at(other) == b"\5" * 8


@pytest.mark.parametrize(("size", "value"), [(8192, 0xFF), (8 << 20, 0)])
def test_what_nobody_wrote_before_the_export(side: Side, size: int, value: int) -> None:
    block = side.malloc(size)
    must(C.aclrtMemset(block, 8, 1, 8))
    other = must(C.aclrtIpcMemImportByKey(export(side, block, size), 0))
    assert side.bytes_at(other, 8) == b"\1" * 8
    assert side.bytes_at(other + size - 8) == side.bytes_at(block + size - 8) == bytes([value]) * 8
    must(C.aclrtMemset(other + size - 4, 4, 2, 4))
    must(C.aclrtMemset(block + size - 8, 4, 3, 4))
    assert side.bytes_at(other + size - 8) == b"\3\3\3\3\2\2\2\2", "nobody's poison comes over the bytes of others"
    assert side.kinds() == [], "what another process may have written is not taken for unwritten"


def test_a_large_block_costs_no_memory_by_being_shared(side: Side) -> None:
    size = 8 << 30
    block = side.malloc(size)
    other = must(C.aclrtIpcMemImportByKey(export(side, block, size), 0))
    must(C.aclrtMemset(other + size - 8, 8, 1, 8))
    assert side.bytes_at(block + size - 8) == b"\1" * 8


def test_a_part_of_a_block_from_a_page_on(side: Side) -> None:
    block = side.malloc(3 * 4096, 1)
    must(C.aclrtMemset(block + 4096, 4096, 2, 4096))
    other = must(C.aclrtIpcMemImportByKey(export(side, block + 4096, 4096), 0))
    assert side.bytes_at(other) == side.bytes_at(other + 4088) == b"\2" * 8
    assert C.aclrtMemset(other, 4100, 0, 4100) != 0, "it ends where the part does"


def test_memory_that_is_freed_and_allocated_again_is_nobody_elses(side: Side) -> None:
    block = side.malloc(4 << 20, 1)
    key = export(side, block, 4 << 20)
    other = must(C.aclrtIpcMemImportByKey(key, 0))
    must(C.aclrtIpcMemClose(key))
    must(C.aclrtIpcMemClose(key))
    must(C.aclrtFree(block))
    side.sim.memory.arena(0).forget_freed()
    again = side.malloc(4 << 20, 7)
    assert side.bytes_at(again) == b"\7" * 8
    assert C.aclrtMemset(other, 8, 0, 8) != 0


# -- one process: codes ------------------------------------------------------------------------------------------------


def get_key(address: int, size: int, flags: int = OPEN) -> int:
    room = ctypes.create_string_buffer(65)
    return C.aclrtIpcMemGetExportKey(address, size, ctypes.addressof(room), 65, flags)


def test_what_cannot_be_exported(side: Side) -> None:
    block, host, gone = side.malloc(8192), must(C.aclrtMallocHost(4096)), side.malloc(4096)
    must(C.aclrtFree(gone))
    imported = must(C.aclrtIpcMemImportByKey(export(side, block, 8192), 0))
    array = np.zeros(4096, np.uint8)
    for address, size in (
        (host, 64), (array.ctypes.data, 64), (gone, 64), (block + 512, 64), (block, 9000), (block + 4096, 8192),
        (imported, 64), (STALE, 64),
    ):  # fmt: skip
        assert get_key(address, size) == REFUSED, (address, size)
    side.sim.threads.attach(side.sim).drop_context()
    assert get_key(block, 64) == 107002
    assert C.aclrtIpcMemImportByKey("0" * 36, 0)[1] == C.aclrtIpcMemClose("0" * 36) == 107002


@pytest.mark.parametrize("key", ["0" * 36, "nonsense", "../../etc/passwd", "m-0", "é"])
def test_a_key_that_nobody_gave(side: Side, key: str) -> None:
    export(side, side.malloc(4096))
    assert C.aclrtIpcMemImportByKey(key, 0)[1] == C.aclrtIpcMemClose(key) == REFUSED
    assert C.aclrtIpcMemSetImportPid(key, [1], 1) == REFUSED


@pytest.mark.parametrize("key", ["", "0" * 65])
def test_a_key_of_no_possible_length(side: Side, key: str) -> None:
    assert C.aclrtIpcMemImportByKey(key, 0)[1] == C.aclrtIpcMemClose(key) == 107000
    assert C.aclrtIpcMemSetImportPid(key, [1], 1) == 107000


def test_a_key_that_is_imported_twice_is_closed_twice(side: Side) -> None:
    block = side.malloc(4096, 1)
    key = export(side, block)
    first, second = (must(C.aclrtIpcMemImportByKey(key, 0)) for _ in range(2))
    assert first == second
    must(C.aclrtIpcMemClose(key))
    assert side.bytes_at(first) == b"\1" * 8
    must(C.aclrtIpcMemClose(key))
    assert C.aclrtMemset(first, 8, 0, 8) != 0
    must(C.aclrtIpcMemClose(key))  # its own
    assert side.kinds() == ["use-after-free"]
    assert C.aclrtIpcMemClose(key) == REFUSED
    assert side.kinds()[1:] == ["shared-object"] and "closed before, at tests/unit" in side.titles()[-1]
    must(C.aclrtFree(block))


def test_imported_memory_is_not_freed(side: Side) -> None:
    key = export(side, side.malloc(4096, 1))
    other = must(C.aclrtIpcMemImportByKey(key, 0))
    assert C.aclrtFree(other) == 107000
    assert side.kinds() == ["bad-free"]
    must(C.aclrtIpcMemClose(key))


def test_its_own_process_is_on_no_list(side: Side) -> None:
    block = side.malloc(4096)
    key = export(side, block, flags=LISTED)
    me = must(C.aclrtDeviceGetBareTgid())
    assert C.aclrtIpcMemSetImportPid(key, [me], 1) == C.aclrtIpcMemSetImportPid(key, [0], 1) == REFUSED
    must(C.aclrtIpcMemSetImportPid(key, [me, 12345], 2))
    assert C.aclrtIpcMemImportByKey(key, 0)[1] == REFUSED
    assert "is not on the white list of `block`" in side.titles()[0]
    assert C.aclrtIpcMemSetImportPid(key, list(range(1, 18)), 17) == 107000
    everybody = export(side, side.malloc(4096))
    assert C.aclrtIpcMemSetImportPid(everybody, [12345], 1) == 207006


def test_the_memory_of_another_device(side: Side) -> None:
    must(C.aclrtSetDevice(1))
    there = side.malloc(4096, 3)
    key = export(side, there)
    must(C.aclrtSetDevice(0))
    other = must(C.aclrtIpcMemImportByKey(key, 1))
    assert must(C.aclrtDevicePeerAccessStatus(0, 1)) == 1
    mine, stream = side.malloc(4096), side.stream()
    must(C.aclrtMemcpyAsync(mine, 4096, other, 4096, 3, stream))
    must(C.aclrtSynchronizeStream(stream))
    assert side.bytes_at(mine) == b"\3" * 8
    assert must(C.aclrtPointerGetAttributes(other)).location.id == 1


@pytest.mark.parametrize("soc", ["Ascend310B1"])
def test_products_without_it(soc: str) -> None:
    with one_run(), Simulator(soc=soc) as sim:
        must(C.aclrtSetDevice(0))
        side = Side(sim, None)
        assert get_key(side.malloc(4096), 4096) == C.aclrtIpcMemImportByKey("0" * 36, 0)[1] == 207000
        assert C.aclrtIpcMemClose("0" * 36) == C.aclrtIpcMemSetImportPid("0" * 36, [1], 1) == 207000


# -- two processes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["deterministic", "free"])
def test_two_processes_see_the_same_bytes(threads: str) -> None:
    def owner(side: Side) -> bytes:
        block = side.malloc(4096, 1)
        key = export(side, block, flags=LISTED)
        must(C.aclrtIpcMemSetImportPid(key, [side.child], 1))
        side.send(key)
        side.receive()
        seen = side.bytes_at(block)
        side.send("go on")
        side.receive()
        must(C.aclrtIpcMemClose(key))
        must(C.aclrtFree(block))
        return seen

    def user(side: Side) -> tuple[bytes, str]:
        key = side.receive()
        theirs = must(C.aclrtIpcMemImportByKey(key, 0))
        seen, free = side.bytes_at(theirs), must(C.aclrtGetMemInfo(1))[0]
        must(C.aclrtMemset(theirs, 4096, 2, 4096))
        side.send("written")
        side.receive()
        name = side.sim.memory.describe(theirs)
        must(C.aclrtIpcMemClose(key))
        assert must(C.aclrtGetMemInfo(1))[0] == free, "it was counted for its owner"
        side.send("closed")
        return seen, name

    first, second = pair(owner, user, threads=threads)
    assert first.value == b"\2" * 8 and second.value[0] == b"\1" * 8
    assert "`block` of process" in second.value[1] and "exported at" in second.value[1]
    assert first.kinds == second.kinds == []


def test_a_process_that_is_not_on_the_list() -> None:
    def owner(side: Side) -> None:
        weights = must(C.aclrtMalloc(4096, 0))
        key = export(side, weights, flags=LISTED)
        must(C.aclrtIpcMemSetImportPid(key, [side.child + 1_000_000], 1))
        side.send(key)
        side.receive()
        must(C.aclrtIpcMemClose(key))
        must(C.aclrtFree(weights))

    def user(side: Side) -> list[int]:
        key = side.receive()
        codes = [C.aclrtIpcMemImportByKey(key, 0)[1], C.aclrtIpcMemSetImportPid(key, [1], 1), C.aclrtIpcMemClose(key)]
        side.send("tried")
        return codes

    first, second = pair(owner, user)
    assert second.value == [REFUSED] * 3 and first.kinds == []
    assert second.kinds == ["shared-object", "shared-object"]
    assert "is not on the white list of `weights` of process" in second.titles[0]
    assert "only the process that exported it" in second.titles[1]


@pytest.mark.parametrize("way", ["frees", "closes", "ends"])
def test_an_owner_that_is_too_early(way: str) -> None:
    def user(side: Side) -> tuple[bytes, int]:
        key = side.receive()
        theirs = must(C.aclrtIpcMemImportByKey(key, 0))
        side.send("imported")
        if way == "ends":
            os.waitid(os.P_PID, side.child, os.WEXITED | os.WNOWAIT)
        else:
            side.receive()
        seen = side.bytes_at(theirs)
        must(C.aclrtMemset(theirs, 8, 0, 8))
        return seen, C.aclrtIpcMemImportByKey(key, 0)[1]

    def owner(side: Side) -> None:
        weights = must(C.aclrtMalloc(4096, 0))
        must(C.aclrtMemset(weights, 4096, 7, 4096))
        key = export(side, weights)
        side.send(key)
        side.receive()
        if way == "closes":
            must(C.aclrtIpcMemClose(key))
        elif way == "frees":
            must(C.aclrtFree(weights))
        if way != "ends":
            side.send("done")

    first, second = pair(user, owner, leave=way == "ends")  # the child is the owner
    assert first.value[0] == b"\7" * 8, "the bytes stay"
    assert first.kinds == ["use-after-free"], "once"
    assert "of process" in first.titles[0] and "exported at" in first.titles[0]
    assert {"frees": "which it freed at", "closes": "which it closed at", "ends": "has ended"}[way] in first.titles[0]
    if way == "ends":
        return
    assert second.kinds == ["shared-object"]
    assert re.search(rf"{way} `weights`, which process \d+ has still open", second.titles[0])
    assert first.value[1] == 0, "what it has open it can open again"


def test_what_is_gone_cannot_be_imported() -> None:
    def owner(side: Side) -> None:
        gone = must(C.aclrtMalloc(4096, 0))
        key = export(side, gone)
        must(C.aclrtFree(gone))
        side.send(key)
        side.receive()

    def user(side: Side) -> int:
        code = C.aclrtIpcMemImportByKey(side.receive(), 0)[1]
        side.send("tried")
        return code

    first, second = pair(owner, user)
    assert second.value == REFUSED and first.kinds == []
    assert second.kinds == ["shared-object"] and "which it freed at tests/unit" in second.titles[0]


def test_the_child_of_a_fork_imports_for_itself() -> None:
    """Memory that was exported before a fork is one memory in both, but the key is the parent's."""
    with one_run(), Simulator() as sim:
        must(C.aclrtSetDevice(0))
        side = Side(sim, None)
        block = side.malloc(4096, 1)
        key = export(side, block)
        child = os.fork()
        if child == 0:
            code = 99
            try:
                theirs = must(C.aclrtIpcMemImportByKey(key, 0))
                must(C.aclrtMemset(theirs, 8, 5, 8))
                code = 0 if theirs != block else 1
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert side.bytes_at(block) == b"\5" * 8
