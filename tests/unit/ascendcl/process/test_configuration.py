"""Chapter 03: options of process and context, how many cores kernels may use."""

from __future__ import annotations

import threading

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

CUBE, VECTOR = 0, 1


sim = simulator(device=None, devices=2)


@pytest.fixture
def card(sim: Simulator) -> Simulator:
    assert C.aclrtSetDevice(0) == 0
    return sim


# -- options ----------------------------------------------------------------------------------------------------------


def test_an_option_of_the_process(sim: Simulator) -> None:
    assert C.aclrtGetSysParamOpt(0) == (0, 0)  # never set
    assert C.aclrtSetSysParamOpt(0, 3) == 0
    assert C.aclrtGetSysParamOpt(0) == (3, 0)


def test_an_option_of_a_context_has_to_be_set_before_it_is_read(card: Simulator) -> None:
    assert C.aclrtCtxGetSysParamOpt(1) == (None, 107021)
    assert C.aclrtCtxSetSysParamOpt(1, 1) == 0
    assert C.aclrtCtxGetSysParamOpt(1) == (1, 0)
    C.aclrtCreateContext(0)
    assert C.aclrtCtxGetSysParamOpt(1) == (None, 107021)
    assert C.aclrtPeekAtLastError(0) == 0  # that is an answer, no failure


def test_early_start_is_no_option_of_contexts(card: Simulator) -> None:
    assert C.aclrtSetSysParamOpt(3, 1) == 0
    assert C.aclrtCtxSetSysParamOpt(3, 1) == 100000


@pytest.mark.parametrize(("option", "value"), [(0, 4), (0, -1), (1, 2), (2, 2), (3, 2)])
def test_values_of_options(sim: Simulator, option: int, value: int) -> None:
    assert C.aclrtSetSysParamOpt(option, value) == 107000


def test_options_of_contexts_need_one(sim: Simulator) -> None:
    assert C.aclrtCtxSetSysParamOpt(0, 1) == 107002
    assert C.aclrtCtxGetSysParamOpt(0) == (None, 107002)


# -- cores of a device ------------------------------------------------------------------------------------------------


def test_at_first_there_is_what_the_chip_has(card: Simulator) -> None:
    assert C.aclrtGetDeviceResLimit(0, CUBE) == (20, 0)
    assert C.aclrtGetDeviceResLimit(0, VECTOR) == (40, 0)


def test_limits_of_devices(card: Simulator) -> None:
    assert C.aclrtSetDeviceResLimit(0, CUBE, 8) == 0
    assert C.aclrtSetDeviceResLimit(0, CUBE, 20) == 0  # may grow again
    assert C.aclrtSetDeviceResLimit(0, VECTOR, 0) == 0
    assert C.aclrtGetDeviceResLimit(0, VECTOR) == (0, 0)
    assert C.aclrtSetDevice(1) == 0
    assert C.aclrtGetDeviceResLimit(1, VECTOR) == (40, 0)
    assert C.aclrtResetDeviceResLimit(0) == 0
    assert C.aclrtGetDeviceResLimit(0, VECTOR) == (40, 0)


@pytest.mark.parametrize(("kind", "value"), [(CUBE, 21), (VECTOR, 41), (CUBE, 0xFFFF_FFFF)])
def test_more_cores_than_there_are(card: Simulator, kind: int, value: int) -> None:
    assert C.aclrtSetDeviceResLimit(0, kind, value) == 107000
    assert C.aclrtSetStreamResLimit(0, kind, value) == 107000


def test_the_order_of_checks_for_devices(sim: Simulator) -> None:
    assert C.aclrtSetDeviceResLimit(-1, 2, 99) == 107001  # a negative id, then the type,
    assert C.aclrtSetDeviceResLimit(2, 2, 99) == 107000
    assert C.aclrtSetDeviceResLimit(2, CUBE, 99) == 107001  # then a large id,
    assert C.aclrtSetDeviceResLimit(0, CUBE, 99) == 507033  # then whether it is up,
    assert C.aclrtGetDeviceResLimit(0, 2) == (None, 107000)
    assert C.aclrtGetDeviceResLimit(0, CUBE) == (None, 507033)
    assert C.aclrtResetDeviceResLimit(0) == 507033
    assert C.aclrtSetDevice(0) == 0
    assert C.aclrtSetDeviceResLimit(0, CUBE, 99) == 107000  # then the value


def test_limits_last_until_the_device_goes_down(card: Simulator) -> None:
    assert C.aclrtSetDeviceResLimit(0, CUBE, 8) == 0
    context, _ = C.aclrtCreateContext(0)
    assert C.aclrtResetDevice(0) == 0
    assert C.aclrtSetDevice(0) == 0
    assert C.aclrtGetDeviceResLimit(0, CUBE) == (8, 0)  # the explicit context kept it up
    assert C.aclrtResetDevice(0) == 0
    assert C.aclrtDestroyContext(context) == 0
    assert C.aclrtSetDevice(0) == 0
    assert C.aclrtGetDeviceResLimit(0, CUBE) == (20, 0)


# -- cores of streams and threads -------------------------------------------------------------------------------------


def test_a_streams_limit_counts_in_threads_that_asked_for_it(card: Simulator) -> None:
    stream, _ = C.aclrtCreateStream()
    assert C.aclrtSetDeviceResLimit(0, CUBE, 8) == 0
    assert C.aclrtSetStreamResLimit(stream, CUBE, 12) == 0  # may be more than the process has
    assert C.aclrtGetStreamResLimit(stream, CUBE) == (12, 0)
    assert C.aclrtGetStreamResLimit(stream, VECTOR) == (40, 0)
    assert C.aclrtGetResInCurrentThread(CUBE) == (8, 0)
    assert C.aclrtUseStreamResInCurrentThread(stream) == 0
    assert C.aclrtGetResInCurrentThread(CUBE) == (12, 0)

    found: list[tuple[int, int]] = []

    def ask() -> None:
        C.aclrtSetDevice(0)
        found.append(C.aclrtGetResInCurrentThread(CUBE))

    other = threading.Thread(target=ask)
    other.start()
    other.join()
    assert found == [(8, 0)]

    assert C.aclrtUnuseStreamResInCurrentThread(0) == 0  # another stream: nothing happens
    assert C.aclrtGetResInCurrentThread(CUBE) == (12, 0)
    assert C.aclrtUnuseStreamResInCurrentThread(stream) == 0
    assert C.aclrtGetResInCurrentThread(CUBE) == (8, 0)


def test_a_reset_stream_has_what_its_device_has(card: Simulator) -> None:
    assert C.aclrtSetStreamResLimit(0, CUBE, 2) == 0
    assert C.aclrtUseStreamResInCurrentThread(0) == 0
    assert C.aclrtGetResInCurrentThread(CUBE) == (2, 0)
    assert C.aclrtResetStreamResLimit(0) == 0
    assert C.aclrtGetStreamResLimit(0, CUBE) == (20, 0)
    assert C.aclrtGetResInCurrentThread(CUBE) == (20, 0)


def test_a_destroyed_stream_no_longer_limits(card: Simulator) -> None:
    stream, _ = C.aclrtCreateStream()
    assert C.aclrtSetStreamResLimit(stream, CUBE, 2) == 0
    assert C.aclrtUseStreamResInCurrentThread(stream) == 0
    assert C.aclrtDestroyStream(stream) == 0
    assert C.aclrtGetResInCurrentThread(CUBE) == (20, 0)


def test_the_order_of_checks_for_streams(sim: Simulator) -> None:
    assert C.aclrtSetStreamResLimit(1, 2, 99) == 107017
    assert C.aclrtSetStreamResLimit(0, 2, 99) == 107000
    assert C.aclrtSetStreamResLimit(0, CUBE, 99) == 107002
    assert C.aclrtGetStreamResLimit(1, 2) == (None, 107017)
    assert C.aclrtGetStreamResLimit(0, 2) == (None, 107000)
    assert C.aclrtGetStreamResLimit(0, CUBE) == (None, 107002)
    assert C.aclrtResetStreamResLimit(1) == 107017
    assert C.aclrtUseStreamResInCurrentThread(1) == 107017
    assert C.aclrtUnuseStreamResInCurrentThread(1) == 107017
    assert C.aclrtUseStreamResInCurrentThread(0) == 107002
    assert C.aclrtGetResInCurrentThread(2) == (None, 107000)
    assert C.aclrtGetResInCurrentThread(CUBE) == (None, 107002)
