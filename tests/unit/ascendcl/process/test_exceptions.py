"""Chapter 13: error texts and the last error of a thread (docs/semantics/layers.md#last-error)."""

import threading

import pytest

from ascend_sim import ascendcl as C

MS = 1_000_000
STALE = 0x1234
FAULT = 507015


def stored():
    """The thread's last error; reading clears it."""
    return C.aclrtGetLastError(0)


# -- the last error ----------------------------------------------------------------------------------------------------


def test_peek_keeps_and_get_clears(world):
    assert C.aclrtSynchronizeStream(STALE) == 107017
    assert [C.aclrtPeekAtLastError(0), C.aclrtPeekAtLastError(0)] == [107017, 107017]
    assert [stored(), stored()] == [107017, 0]


def test_success_does_not_clear_it_and_a_later_failure_replaces_it(world):
    stream = world.stream()
    assert C.aclrtSynchronizeStream(STALE) == 107017
    assert C.aclrtSynchronizeStream(stream) == 0
    assert C.aclrtPeekAtLastError(0) == 107017
    assert C.aclrtSetDevice(99) == 107001
    assert stored() == 107001


@pytest.mark.parametrize("call", [C.aclrtPeekAtLastError, C.aclrtGetLastError])
@pytest.mark.parametrize("level", [1, -1, 7])
def test_levels(world, call, level):
    assert C.aclrtSynchronizeStream(STALE) == 107017
    assert call(level) == 100000
    assert stored() == 107017, "the refusal is not stored"


def test_each_thread_has_its_own(world):
    seen = []
    assert C.aclrtSynchronizeStream(STALE) == 107017
    thread = threading.Thread(target=lambda: seen.append(C.aclrtPeekAtLastError(0)))
    thread.start()
    thread.join()
    assert seen == [0]
    assert stored() == 107017


def test_rejections_of_the_wrapper_are_not_stored(world):
    assert C.aclrtSynchronizeStreamWithTimeout(0, -2) == 107000
    assert C.aclrtSynchronizeEvent(0) == 100000
    assert C.aclrtRecordEvent(0, 0) == 100000
    assert C.aclrtStreamQuery(STALE)[1] == 107017
    assert stored() == 107017
    assert C.aclrtExceptionInfoCallbackRegister(None) == 107000
    assert C.aclrtSetStreamOverflowSwitch(0, 5) == 100000
    assert C.aclrtProcessReport(0) == 100000
    assert stored() == 0


def test_the_same_code_of_a_deeper_layer_is_stored(world):
    stream = world.stream()
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 0) == 107000
    assert stored() == 107000


def test_missing_contexts(world):
    stream = world.stream()
    world.t.drop_context()
    assert C.aclrtGetDevice()[1] == 107002
    assert C.aclrtGetCurrentContext()[1] == 107002
    assert stored() == 0, "these two only tell a state"
    assert C.aclrtSynchronizeStream(stream) == 107002
    assert stored() == 107002


def test_failures_of_tasks_are_stored_and_timeouts_too(world):
    stream = world.stream()
    world.task(stream, code=FAULT)
    assert world.sync(stream) == FAULT
    assert stored() == FAULT
    world.hold(stream)
    world.task(stream)
    assert C.aclrtSynchronizeStreamWithTimeout(stream, 10) == 507046
    assert stored() == 507046
    world.release(stream)


@pytest.mark.parametrize("code", [507004, 507005, 507023, 207003, 207016, 207017])
def test_states_of_a_stream_are_not_stored(world, code):
    stream = world.stream()
    world.task(stream, code=code)
    assert world.sync(stream) == code
    assert stored() == 0


def test_resets_by_force_do_not_store_the_failure_of_a_task(world):
    stream = world.stream()
    world.must(C.aclrtSetStreamFailureMode(stream, 1))
    world.task(stream, code=FAULT)
    world.t.clock += MS
    C.aclrtResetDeviceForce(0)
    assert stored() == 0


def test_what_a_chip_lacks_is_mostly_not_stored(build):
    world = build(soc="Ascend310P3")
    stream, stamp = world.stream(), world.must(C.aclrtCreateEventWithFlag(8))
    assert C.aclrtGetErrorVerbose(0)[1] == 207000
    assert C.aclrtPersistentTaskClean(stream) == 207000
    assert C.aclrtStreamWaitEvent(stream, stamp) == 207000
    assert C.aclrtResetEvent(stamp, stream) == 207000
    assert C.aclrtSetOpWaitTimeout(1) == 207000
    assert stored() == 0
    assert C.aclrtStreamAbort(stream) == 207000
    assert stored() == 207000


def test_an_aborted_waiter_stores_107023(world, background):
    stream, seen = world.stream(), []
    world.hold(stream)
    world.task(stream)

    def wait(handle):
        code = C.aclrtSynchronizeStream(handle)
        seen.append(C.aclrtPeekAtLastError(0))
        return code

    waiter = background(wait, stream)
    world.must(C.aclrtStreamAbort(stream))
    assert waiter.result() == 107023
    assert seen == [107023]


# -- error texts -------------------------------------------------------------------------------------------------------


def test_texts_are_read_once_newest_first(world):
    assert C.aclrtSynchronizeStream(STALE) == 107017
    assert C.aclrtSetDevice(99) == 107001
    text = C.aclGetRecentErrMsg()
    first, second = text.splitlines()
    assert first.startswith("[107001] aclrtSetDevice: ")
    assert second.startswith("[107017] aclrtSynchronizeStream: ")
    assert C.aclGetRecentErrMsg() is None


def test_answers_are_no_texts(world):
    assert C.aclrtSynchronizeStream(STALE) == 107017
    C.aclGetRecentErrMsg()
    assert C.aclrtPeekAtLastError(0) == 107017
    assert C.aclGetRecentErrMsg() is None


@pytest.mark.parametrize(
    ("call", "code", "kept"),
    [
        (lambda: C.aclrtStreamQuery(0xDEAD)[-1], 107017, True),
        (lambda: C.aclrtDestroyStream(0), 100000, False),
        (lambda: C.aclrtSynchronizeStreamWithTimeout(0, -2), 107000, False),
        (lambda: C.aclrtSynchronizeStreamWithTimeout(0, 0), 107000, True),
        (lambda: C.aclrtSetDevice(99), 107001, True),
        (lambda: C.aclrtResetDevice(1), None, True),
    ],
    ids=["dead handle", "null", "acl layer", "runtime layer", "device", "reset"],
)
def test_the_last_error_keeps_what_the_runtime_refused_and_nothing_else(world, call, code, kept):
    C.aclrtGetLastError(0)
    returned = call()
    assert code is None or returned == code
    expected = returned if kept else 0
    assert C.aclrtStreamQuery(0) == (0, 0), "success clears nothing"
    assert [C.aclrtPeekAtLastError(0), C.aclrtGetLastError(0), C.aclrtGetLastError(0)] == [expected, expected, 0]
