"""What a signal handler of the program raises while a library calls comes out in Python code of the thread, as it is."""

from __future__ import annotations

import signal

import pytest

from ascend_sim.constants.errors import ACL_ERROR_RT_INTERNAL_ERROR
from ascend_sim.errors import SimulatedHang
from ascend_sim.native.guest import interrupted
from ascend_sim.runtime.threads.signal_handlers import Handlers, is_of_handler


class TimeIsOver(BaseException):
    """As testing tools raise: no Exception, and with an argument."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} seconds are over")


@pytest.mark.parametrize("error", [SystemExit(3), TimeIsOver(7), TimeoutError("mine"), GeneratorExit()], ids=repr)
def test_the_very_exception_is_raised(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        assert interrupted(error) == 0
        for _ in range(1_000_000):
            pass
    assert caught.value is error


def test_a_hang_keeps_its_text() -> None:
    with pytest.raises(SimulatedHang, match="nobody records it"):
        assert interrupted(SimulatedHang("nobody records it")) == ACL_ERROR_RT_INTERNAL_ERROR
        for _ in range(1_000_000):
            pass


def test_ctrl_c_is_the_signal_itself() -> None:
    with pytest.raises(KeyboardInterrupt):
        assert interrupted(KeyboardInterrupt()) == 0
        for _ in range(1_000_000):
            pass


def test_an_exception_of_a_handler_is_known() -> None:
    def handler(number: int, frame: object) -> None:
        raise TimeIsOver(number)

    handlers = Handlers()
    with pytest.raises(TimeIsOver) as caught:
        handlers.defer(signal.SIGUSR1, None, handler)  # it waits until the program goes on, which is at once
    assert is_of_handler(caught.value) and not is_of_handler(TimeIsOver(1))
