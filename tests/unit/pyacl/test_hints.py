"""Which argument made "args parse failed"."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim.pyacl import modules
from ascend_sim.pyacl.hints import hint

acl: Any = modules()["acl"]

CASES = [
    (
        lambda: acl.rt.malloc(np.int64(4), 0),
        "acl.rt.malloc(size, policy): size is numpy.int64, an int is needed; write int(size)",
    ),
    (
        lambda: acl.rt.free(np.zeros(4)),
        "acl.rt.free(dev_ptr): dev_ptr is numpy.ndarray, an int is needed; write dev_ptr.ctypes.data, and keep dev_ptr "
        "until it is used",
    ),
    (
        lambda: acl.rt.free(b"1234"),
        "acl.rt.free(dev_ptr): dev_ptr is bytes, an int is needed; write acl.util.bytes_to_ptr(dev_ptr), and keep "
        "dev_ptr until it is used",
    ),
    (
        lambda: acl.rt.synchronize_stream(None),
        "acl.rt.synchronize_stream(stream): stream is NoneType, an int is needed; NULL and the default stream are "
        "written 0",
    ),
    (
        lambda: acl.rt.synchronize_stream((1, 0)),
        "acl.rt.synchronize_stream(stream): stream is tuple, an int is needed; a call that makes something returns two "
        "values: stream, ret = ...",
    ),
    (lambda: acl.rt.malloc(4.0, 0), "acl.rt.malloc(size, policy): size is float, an int is needed"),
    (lambda: acl.rt.malloc(4), "acl.rt.malloc(size, policy): policy is missing"),
    (lambda: acl.rt.malloc(4, 0, 1, 2), "acl.rt.malloc(size, policy) takes 2 arguments, 4 were given"),
    (lambda: acl.rt.set_device("0"), "acl.rt.set_device(device_id): device_id is str, an int in range is needed"),
    (
        lambda: acl.rt.malloc(4, "ACL_MEM_MALLOC_NORMAL_ONLY"),
        "acl.rt.malloc(size, policy): policy is str, an int in range is needed; ACL_MEM_MALLOC_NORMAL_ONLY is 2",
    ),
    (lambda: acl.rt.free(1, 2), "acl.rt.free(dev_ptr) takes 1 argument, 2 were given"),
    (lambda: acl.init(None), "acl.init(config_path): config_path is NoneType, a str is needed"),
]


@pytest.mark.parametrize(("call", "text"), CASES, ids=range(len(CASES)))
def test_a_hint_names_the_argument(call: Any, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert hint(caught.value) == text


def test_a_hint_says_what_a_call_returns() -> None:
    with pytest.raises(TypeError) as no_tuple:
        _value, _ret = acl.rt.free(0)
    assert hint(no_tuple.value) == "acl.rt.free returns 1 value: ret = acl.rt.free(dev_ptr)"
    with pytest.raises(ValueError, match="unpack") as too_few:
        _first, _second, _ret = acl.rt.create_stream()
    assert hint(too_few.value).startswith("acl.rt.create_stream returns 2 values: ")
    with pytest.raises(ValueError, match="unpack") as others:
        _first, _second = [1]
    assert hint(others.value) == ""
    with pytest.raises(ValueError, match="byte") as text:
        acl.util.bytes_to_ptr("text")
    assert "text.encode()" in hint(text.value)


NAMED = {
    "acl.ACL_MEMCPY_DEVICE_TO_HOST": "pyACL has no constants: write ACL_MEMCPY_DEVICE_TO_HOST = 2 in the program",
    "ACL_MEMCPY_DEVICE_TO_HOST": "pyACL has no constants: write ACL_MEMCPY_DEVICE_TO_HOST = 2 in the program",
    "from acl.rt import ACL_EVENT_SYNC": "pyACL has no constants: write ACL_EVENT_SYNC = 1 in the program",
    "acl.aclrtMalloc": "aclrtMalloc is a name of C: pyACL has acl.rt.malloc",
    "aclrtMalloc": "aclrtMalloc is a name of C: pyACL has acl.rt.malloc",
    "acl.malloc": "acl.malloc is not there: acl.rt.malloc is",
    "acl.rt.numpy_to_ptr": "acl.rt.numpy_to_ptr is not there: acl.util.numpy_to_ptr is",
    "acl.rt.create_streem": "",
    "no_such_name": "",
    "import no_such_module": "",
    "from math import ACL_EVENT_SYNC": "",
    "(1).ACL_EVENT_SYNC": "",
}


@pytest.mark.parametrize("text", NAMED)
def test_a_hint_says_where_a_name_is(text: str) -> None:
    with pytest.raises((AttributeError, NameError, ImportError)) as caught:
        exec(text, {"acl": acl})
    assert hint(caught.value) == NAMED[text]


def test_a_hint_says_how_torch_is_installed() -> None:
    assert "torch_npu==" in hint(ModuleNotFoundError("No module named 'torch'", name="torch"))
    assert hint(ModuleNotFoundError("No module named 'torchx'", name="torchx")) == ""


def test_other_errors_have_no_hint() -> None:
    with pytest.raises(TypeError) as caught:
        int([])  # type: ignore[call-overload]
    assert hint(caught.value) == ""
    assert hint(TypeError("acl.rt.malloc args parse failed")) == ""
