"""The suite itself: a callable that does not do what its row says is not counted as passed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ascend_sim.simulator import Simulator
from tests.conformance import run
from tests.conformance.faces import PyaclFace
from tests.conformance.nulls import null_inputs
from tests.conformance.registry import ROWS, Entry, Row, row, table
from tests.conformance.world import STALE, Disagreement, World

NAME = "stream-0153"
"""aclrtResetDevice, not set: 507007."""


@pytest.fixture
def instead() -> Iterator[Callable[[Callable[[World], None]], None]]:
    """Puts another callable in the place of the row's own, until the test ends."""
    kept = run.load()[NAME]

    def put(body: Callable[[World], None]) -> None:
        ROWS[NAME] = kept._replace(body=body)

    yield put
    ROWS[NAME] = kept


def test_a_callable_that_does_nothing_fails(instead) -> None:
    instead(lambda w: None)
    with pytest.raises(Disagreement, match="calls none of"):
        run.run(NAME, "c")


def test_a_callable_that_never_gets_the_code_fails(instead) -> None:
    instead(lambda w: w.ok("aclrtResetDevice", 0))
    with pytest.raises(Disagreement, match="never got 507007"):
        run.run(NAME, "c")


def test_another_code_fails_and_says_why(instead) -> None:
    instead(lambda w: w.expect("aclrtResetDevice", 5))
    with pytest.raises(Disagreement, match=r"answered 107001, not 507007\n.*deviceId is 5"):
        run.run(NAME, "c")


def test_a_face_that_is_not_used_fails(instead) -> None:
    def body(w: World) -> None:
        from ascend_sim import ascendcl

        w.answers.append(("aclrtResetDevice", ascendcl.aclrtResetDevice(1)))

    instead(body)
    with pytest.raises(Disagreement, match="through pyACL"):
        run.run(NAME, "pyacl")


def test_a_wait_that_never_ends_is_reported_not_waited_for(instead) -> None:
    def body(w: World) -> None:
        stream = w.stream()
        w.hold(stream)
        w.hangs("aclrtSynchronizeStream", stream)
        with pytest.raises(Disagreement, match="should wait for ever"):
            w.hangs("aclrtSynchronizeStream", w.stream())
        w.expect("aclrtResetDevice", 0)

    instead(body)
    with pytest.raises(BaseException, match="waits for `stream`"):
        run.run(NAME, "c")  # the reset waits for the held stream


def test_rows_are_registered_once_and_by_name() -> None:
    with pytest.raises(KeyError, match="has a callable already"):
        row(NAME)(lambda w: None)
    with pytest.raises(KeyError, match="no row is named"):
        row("stream-9999")(lambda w: None)


def test_pyacl_is_called_with_what_it_can_say() -> None:
    face = PyaclFace()
    with Simulator():
        assert face.call("aclrtSetDevice", (0,)) == 0
        stream, code = face.call("aclrtCreateStream", ())
        assert code == 0
        assert face.call("aclrtSynchronizeStream", (None,)) == 0  # NULL is 0 there
        assert face.call("aclrtLaunchCallback", (None, None, 0, stream)) == 107000  # no None there: the C face is asked
        assert face.call("aclrtStreamGetFlags", (stream,)) == (0, 0)  # has no name there
    assert face.routed == {"aclrtSetDevice", "aclrtCreateStream", "aclrtSynchronizeStream"}


def test_null_rows_know_their_inputs() -> None:
    names = {
        name: [p.name for p in null_inputs(table()[name])] for name in ("stream-0054", "stream-0059", "stream-0001")
    }
    assert names == {"stream-0054": ["event"], "stream-0059": ["startEvent", "endEvent"], "stream-0001": []}


def test_what_a_row_expects() -> None:
    def expected(code: str) -> int | None:
        return Row("", "", "", code).expected

    assert (expected("107000"), expected("0xFFFFFFFF"), expected("<task error>")) == (107000, 0xFFFFFFFF, None)
    assert table()["stream-0266"].functions == (
        "aclrtCreateEvent",
        "aclrtCreateEventWithFlag",
        "aclrtCreateEventExWithFlag",
    )
    assert table()["stream-case-056"].functions == ("aclrtSetDevice",)  # written without the prefix


def test_every_entry_is_complete() -> None:
    for name, entry in run.load().items():
        assert isinstance(entry, Entry)
        assert entry.socs, name
        assert entry.faces is None or set(entry.faces) <= {"c", "pyacl"}, name


def test_the_stale_number_is_no_handle() -> None:
    with Simulator() as sim:
        assert all(sim.new_handle(object()) != STALE for _ in range(1000))
