"""Order marks are counted, and said in good English."""

from ascend_sim.observers.order_marks import WORDS, OrderMarks


def test_one_is_not_many() -> None:
    marks = OrderMarks()
    assert not marks and marks.text() == ""
    marks.add("poll", None)
    assert marks.text() == "order marks: 1 query whose answer depends on time"
    marks.add("poll", None)
    marks.add("full queue", None)
    assert marks.text() == "order marks: 2 queries whose answer depends on time, 1 call that waited for room"
    assert all(one != more for one, more in WORDS.values())
