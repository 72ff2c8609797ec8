"""What calls do to what threads share: the column is complete, and says what the catalogue can mean."""

from __future__ import annotations

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.catalogue.effects import NOTHING, effects
from ascend_sim.catalogue.functions import c_kind, functions
from ascend_sim.catalogue.himpi import himpi_function, himpi_functions
from ascend_sim.explore.control.shared_objects import LIMITS


def test_what_is_not_modelled_has_no_effects() -> None:
    assert {name for name, f in functions().items() if f.effects == "-"} == set(functions()) - C.implemented()


def test_every_line_can_be_read() -> None:
    settings = set()
    for name, function in {**functions(), **himpi_functions()}.items():
        does = effects(name)
        inputs = function.inputs
        kinds = [c_kind(inputs[place].ctype) for place in does.changed]
        assert not set(kinds) - {"handle", "pointer", "array"}, name
        assert all(limit in LIMITS for _, limit, _ in does.limits), name
        assert all(use.place is None or -1 <= use.place < len(inputs) for use in does.uses), name
        settings |= {(use.setting, use.mode) for use in does.uses}
    named = {setting for setting, _ in settings}
    assert all({mode for s, mode in settings if s == setting} - {"read"} for setting in named - {"dump"}), "never set"
    assert effects("aclrtMallocNoSuchThing") == effects("aclmdlRIDebugPrint") == NOTHING


@pytest.mark.parametrize(
    ("name", "as_it"),
    [
        ("acldvppMalloc", "aclrtMalloc"), ("acldvppMallocWithCfg", "aclrtMallocWithCfg"), ("acldvppFree", "aclrtFree"),
        ("hi_mpi_dvpp_malloc", "aclrtMalloc"), ("hi_mpi_dvpp_free", "aclrtFree"),
    ],
)  # fmt: skip
def test_memory_of_the_media_units_is_memory(name: str, as_it: str) -> None:
    assert effects(name) == effects(as_it) != NOTHING


def test_python_and_c_have_the_named_arguments_at_the_same_places() -> None:
    """C passes counts and places for results, too: they come behind."""
    for name, function in himpi_functions().items():
        does = effects(name)
        named = [*does.changed, *(use.place for use in does.uses), *(place for _, _, place in does.limits)]
        native = himpi_function(name).parameters
        for place in named:
            assert place in (None, -1) or function.inputs[place].variable == native[place].name, name


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
