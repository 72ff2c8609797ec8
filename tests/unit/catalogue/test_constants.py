"""Constants and enum members carry their C values, and codes their meanings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_sim import constants as k
from ascend_sim.catalogue.codes import codes
from ascend_sim.catalogue.enums import enums
from ascend_sim.catalogue.make_constants import MODULES, source
from ascend_sim.catalogue.tables import rows


def test_a_few_that_programs_use() -> None:
    assert (k.ACL_SUCCESS, k.ACL_ERROR_INVALID_PARAM, k.ACL_ERROR_RT_FEATURE_NOT_SUPPORT) == (0, 100000, 207000)
    assert (k.ACL_MEMCPY_HOST_TO_DEVICE, k.ACL_MEMCPY_DEVICE_TO_HOST) == (1, 2)
    assert (k.ACL_DT_UNDEFINED, k.ACL_FLOAT16, k.ACL_FORMAT_ND) == (-1, 1, 2)
    assert (k.ACL_EVENT_TIME_LINE, k.ACL_HOST_REG_PINNED) == (8, 0x10000000)
    assert k.ACL_UNKNOWN_RANK == (1 << 64) - 2
    assert k.ACL_DYNAMIC_TENSOR_NAME == "ascend_mbatch_shape_data"


def test_the_two_event_enums_have_opposite_polarity() -> None:
    assert (k.ACL_EVENT_STATUS_COMPLETE, k.ACL_EVENT_RECORDED_STATUS_COMPLETE) == (0, 1)


@pytest.mark.parametrize("module", MODULES)
def test_the_modules_are_made_from_the_tables(module: str) -> None:
    """`python -m ascend_sim.catalogue.make_constants` rewrites them."""
    assert (Path(k.__file__).parent / f"{module}.py").read_text(encoding="utf-8") == source(module)


def test_every_enum_and_constant_belongs_to_a_module() -> None:
    places = [enum.module for enum in enums().values()]
    places += [cells[1] for cells in rows("constants.tsv", "name module value")]
    assert set(places) <= set(MODULES)


def test_there_is_nothing_else() -> None:
    public = [name for name in dir(k) if not name.startswith("_")]
    assert all(isinstance(getattr(k, name), (int, str)) for name in public if name not in MODULES)
    assert len([name for name in public if name not in MODULES]) == 1099


def test_codes_have_names_and_meanings() -> None:
    found = codes()
    assert found[0].name == "ACL_SUCCESS"
    assert found[107002].name == "ACL_ERROR_RT_CONTEXT_NULL"
    assert found[107002].group == "rt caller"
    for code in found.values():
        assert code.meaning
        assert getattr(k, code.name) == code.value
