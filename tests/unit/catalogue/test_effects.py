"""What calls do to what threads share: the column is complete, and says what the catalogue can mean."""

from __future__ import annotations

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.catalogue.effects import NOTHING, effects
from ascend_sim.catalogue.functions import functions
from ascend_sim.explore.control.shared_objects import LIMITS


def test_what_is_not_modelled_has_no_effects() -> None:
    assert {name for name, f in functions().items() if f.effects == "-"} == set(functions()) - C.implemented()


def test_every_line_can_be_read() -> None:
    settings = set()
    for name in functions():
        does = effects(name)
        inputs = functions()[name].inputs
        assert all(inputs[place].kind in ("handle", "pointer", "array") for place in does.changed), name
        assert all(limit in LIMITS for _, limit, _ in does.limits), name
        assert all(use.place is None or -1 <= use.place < len(inputs) for use in does.uses), name
        settings |= {(use.setting, use.mode) for use in does.uses}
    named = {setting for setting, _ in settings}
    assert all({mode for s, mode in settings if s == setting} - {"read"} for setting in named - {"dump"}), "never set"
    assert effects("aclrtMallocNoSuchThing") == effects("aclmdlRIDebugPrint") == NOTHING


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("aclrtDestroyStream", ["stream"]), ("aclrtSetDevice", []), ("aclGetTensorDescAddress", []),
        ("aclrtAllocatorSetGetAddrFromBlockFuncToDesc", ["allocatorDesc"]), ("aclrtMemPoolFreeAsync", []),
        ("aclmdlAddDatasetBuffer", ["dataset"]), ("aclrtReleaseMemAddress", ["virPtr"]),
            ("aclUpdateDataBuffer", ["dataBuffer"]),
        ("aclrtSetCurrentContext", []), ("aclGetDataBufferAddr", []), ("aclrtBinaryUnLoad", ["binHandle"]),
    ],
)  # fmt: skip
def test_what_is_changed(name: str, changed: list[str]) -> None:
    assert [functions()[name].inputs[place].name for place in sorted(effects(name).changed)] == changed
