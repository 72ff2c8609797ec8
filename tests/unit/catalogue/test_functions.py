"""The catalogue of the C functions: every parameter has a role and a kind."""

from __future__ import annotations

import pytest

from ascend_sim.ascendcl import structs
from ascend_sim.catalogue.functions import PRODUCTS, c_kind, functions


def test_all_functions_are_there() -> None:
    found = functions()
    assert len(found) == 867
    tiers = [function.tier for function in found.values()]
    assert [tiers.count(tier) for tier in "ABCD"] == [160, 286, 244, 177]


@pytest.mark.parametrize(
    ("ctype", "kind"),
    [
        ("size_t", "u64"),
        ("const uint32_t", "u32"),
        ("int", "i32"),
        ("int8_t", "i8"),
        ("aclFloat16", "u16"),
        ("float", "f32"),
        ("aclrtStream", "handle"),
        ("const aclrtBinHandle", "handle"),
        ("aclDataBuffer*", "handle"),
        ("const aclmdlDesc*", "handle"),
        ("void*", "pointer"),
        ("const void**", "pointer"),
        ("const char*", "string"),
        ("aclrtMemcpyKind", "u32"),
        ("aclDataType", "i32"),  # it has a negative member
        ("const int64_t*", "array"),
        ("const aclTensorDesc* const[]", "array"),
        ("aclrtLaunchKernelCfg*", "struct"),
        ("dim3", "struct"),
        ("aclrtCallback", "function"),
        ("int32_t (*)(const acldumpChunk*, int32_t)", "function"),
    ],
)
def test_kinds(ctype: str, kind: str) -> None:
    assert c_kind(ctype) == kind


def test_outputs_come_in_c_order_and_hold_what_a_c_caller_sees() -> None:
    function = functions()["aclrtAllocatorGetByStream"]
    assert [p.name for p in function.inputs] == ["stream"]
    assert [p.name for p in function.outputs] == [
        "allocatorDesc", "allocator", "allocFunc", "freeFunc", "allocAdviseFunc", "getAddrFromBlockFunc",
    ]  # fmt: skip
    assert function.failure == (0, 0, None, None, None, None)
    assert functions()["aclrtMalloc"].failure == (0,)
    assert functions()["aclrtGetMemInfo"].failure == (None, None)
    assert functions()["aclCreateDataBuffer"].failure == 0
    assert functions()["aclrtGetSocName"].failure is None
    assert functions()["aclFloat16ToFloat"].failure == 0.0


def test_roles_that_the_headers_tag_wrongly() -> None:
    assert [p.name for p in functions()["aclrtGetArgsFromExceptionInfo"].inputs] == ["info"]
    assert [p.name for p in functions()["aclmdlRIBuildBegin"].outputs] == ["modelRI"]
    assert [p.name for p in functions()["aclrtDevicePeerAccessStatus"].outputs] == ["status"]
    exchange = functions()["aclmdlRICaptureThreadExchangeMode"]
    assert exchange.inputs == exchange.outputs


def test_every_parameter_has_a_kind_and_structs_have_classes() -> None:
    for function in functions().values():
        assert len(function.support) == len(PRODUCTS)
        for parameter in function.parameters:
            assert parameter.is_input or parameter.is_output
            assert parameter.kind != "void"
            if parameter.kind == "struct":
                name = parameter.ctype.replace("const", "").strip("* ")
                assert getattr(structs, name)(), name


def test_a_struct_class_is_made_when_it_is_asked_for() -> None:
    location = structs.aclrtMemLocation(id=1, type=2)
    assert location == structs.aclrtMemLocation(1, 2)
    assert "aclrtMemLocation" in dir(structs)
    with pytest.raises(AttributeError, match="aclrtNothing"):
        structs.aclrtNothing  # type: ignore[attr-defined]
