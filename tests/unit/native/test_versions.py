"""A library that another version of the package has built is told in one line, without a traceback."""

from __future__ import annotations

import pytest

from ascend_sim.native import inside


@pytest.mark.parametrize("name, text", [("aclrtMalloc", "QQ:c"), ("aclnnOfAnotherVersion", "Q:c")])
def test_a_library_of_another_version(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(inside.OtherVersion) as raised:
        inside.resolve(name, text)
    ended: list[int] = []
    monkeypatch.setattr(inside, "_end", ended.append)
    monkeypatch.setattr(inside, "finish", lambda: None)
    inside.failed(name, raised.value)
    told = capsys.readouterr().err
    assert ended == [1]
    assert "another version of ascend-sim" in told and name in told and "ascend-sim home" in told
    assert "Traceback" not in told and len(told.splitlines()) == 1


def test_a_library_of_this_version() -> None:
    assert callable(inside.resolve("aclrtMalloc", ">QQI:c")[0])
