"""Constants and enum members carry their C values, and codes their meanings."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ascend_sim import constants as k
from ascend_sim.catalogue.codes import codes

SPEC = Path(__file__).parents[4] / "shared" / "spec" / "api"


def test_a_few_that_programs_use() -> None:
    assert (k.ACL_SUCCESS, k.ACL_ERROR_INVALID_PARAM, k.ACL_ERROR_RT_FEATURE_NOT_SUPPORT) == (0, 100000, 207000)
    assert (k.ACL_MEMCPY_HOST_TO_DEVICE, k.ACL_MEMCPY_DEVICE_TO_HOST) == (1, 2)
    assert (k.ACL_DT_UNDEFINED, k.ACL_FLOAT16, k.ACL_FORMAT_ND) == (-1, 1, 2)
    assert (k.ACL_EVENT_TIME_LINE, k.ACL_HOST_REG_PINNED) == (8, 0x10000000)
    assert k.ACL_UNKNOWN_RANK == (1 << 64) - 2
    assert k.ACL_DYNAMIC_TENSOR_NAME == "ascend_mbatch_shape_data"


def test_the_two_event_enums_have_opposite_polarity() -> None:
    assert (k.ACL_EVENT_STATUS_COMPLETE, k.ACL_EVENT_RECORDED_STATUS_COMPLETE) == (0, 1)


@pytest.mark.skipif(not SPEC.exists(), reason="the specification is not beside the checkout")
def test_all_of_the_headers() -> None:
    with (SPEC / "enums.csv").open(encoding="utf-8") as file:
        enums = {row["member"]: int(row["value"]) for row in csv.DictReader(file)}
    with (SPEC / "constants.csv").open(encoding="utf-8") as file:
        plain = {row["name"]: row["value"] for row in csv.DictReader(file)}
    assert len(enums) + len(plain) == 604 + 389
    for name, value in enums.items():
        assert getattr(k, name) == value, name
    for name, text in plain.items():
        value = getattr(k, name)
        assert str(value) == text, name


def test_there_is_nothing_else() -> None:
    public = [name for name in dir(k) if not name.startswith("_")]
    modules = {"errors", "execution", "flags", "memory", "models", "queues", "tools", "types", "codes"}
    assert all(isinstance(getattr(k, name), (int, str)) for name in public if name not in modules)
    assert len([name for name in public if name not in modules]) == 993


def test_codes_have_names_and_meanings() -> None:
    found = codes()
    assert found[0].name == "ACL_SUCCESS"
    assert found[107002].name == "ACL_ERROR_RT_CONTEXT_NULL"
    assert found[107002].group == "rt caller"
    for code in found.values():
        assert code.meaning
        assert getattr(k, code.name) == code.value
