"""KRN: launches and faults of kernels."""

from typing import Any

import pytest

from ascend_sim import ascendcl as C


@pytest.mark.parametrize("stop", [False, True])
def test_krn_03_a_late_and_unspecific_error(w: Any, stop: bool) -> None:
    s = w.stream()
    a, b, c = w.malloc(), w.malloc(), w.malloc()  # <made>
    if stop:
        w.must(C.aclrtSetStreamFailureMode(s, 1))
    w.fill[1, s](a, 1, 64)
    w.far_fill[1, s](b, 1 << 20)  # <launch>
    w.fill[1, s](c, 2, 64)
    h = w.host()
    assert C.aclrtMemcpyAsync(h, 64, c, 64, 2, s) == 0
    code = C.aclrtSynchronizeStream(s)  # <sync>
    assert code in (507035, 507015)
    text = C.aclGetRecentErrMsg()
    assert "far_fill" in text
    assert C.aclrtPeekAtLastError(0) == code
    assert C.aclrtGetLastError(0) == code
    assert C.aclrtGetLastError(0) == 0
    finding = w.expect("out-of-bounds", "far_fill", "64", submit="launch")
    assert any(f"{code} from aclrtSynchronizeStream" in text for text in finding.followers)
    if not stop:
        assert w.read(h) == [2]
    assert not w.findings("uninitialised-read")
