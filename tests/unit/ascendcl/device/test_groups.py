"""Groups of cores: what a program on the host, on the chip and on other products sees."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import Simulator, pyacl
from ascend_sim import ascendcl as C
from tests.kit.calls import must

CHIP: dict[str, Any] = {"soc": "Ascend310P3", "switches": {"run_mode": "device"}}
SEEN = {C.ACL_GROUP_AICORE_INT: 4, C.ACL_GROUP_AIV_INT: 3, C.ACL_GROUP_AIC_INT: 3, C.ACL_GROUP_GROUPID_INT: 1}


def test_a_chip_in_two_groups() -> None:
    with Simulator(**CHIP, limits={"groups": 2}) as sim:
        must(C.aclrtSetDevice(0))
        assert C.aclrtGetGroupCount() == (2, 0)
        info, room = C.aclrtCreateGroupInfo(), bytearray(4)
        assert must(C.aclrtGetGroupInfoDetail(info, 1, C.ACL_GROUP_AICORE_INT, room, 4)) == 4
        assert room == bytes(4)
        must(C.aclrtGetAllGroupInfo(info))
        for attr, number in SEEN.items():
            must(C.aclrtGetGroupInfoDetail(info, 1, attr, room, 4))
            assert int.from_bytes(room, "little") == number
        bad = [(0, 0, 0, 4), (info, 2, 0, 4), (info, -1, 0, 4), (info, 0, 6, 4), (info, 0, 0, 3)]
        codes = [C.aclrtGetGroupInfoDetail(i, n, attr, room, size)[-1] for i, n, attr, size in bad]
        assert codes == [100000] * 5
        assert [C.aclrtSetGroup(n) for n in (1, 2, 3, 4, -1)] == [0, 107014, 107014, 107000, 107000]
        assert [C.aclrtDestroyGroupInfo(info), C.aclrtDestroyGroupInfo(0)] == [0, 100000]
        assert not sim.findings
        assert C.aclrtGetAllGroupInfo(info) == 100000
        assert [f.kind for f in sim.findings] == ["undefined-use"]


@pytest.mark.parametrize("options", [CHIP, {"soc": "Ascend310P3", "limits": {"groups": 2}}])
def test_without_groups(options: dict[str, Any]) -> None:
    with Simulator(**options):
        assert C.aclrtGetGroupCount()[-1] == 107002
        must(C.aclrtSetDevice(0))
        assert C.aclrtGetGroupCount() == (0, 0)
        assert not C.aclrtCreateGroupInfo()
        assert [C.aclrtSetGroup(0), C.aclrtSetGroup(4), C.aclrtGetAllGroupInfo(64)] == [107014, 107000, 107014]


def test_other_products_have_none() -> None:
    with Simulator():
        must(C.aclrtSetDevice(0))
        assert not C.aclrtCreateGroupInfo()
        assert [C.aclrtGetGroupCount()[-1], C.aclrtSetGroup(0), C.aclrtGetAllGroupInfo(64)] == [207000] * 3


def test_pyacl() -> None:
    modules: dict[str, Any] = {}
    pyacl.put_into(modules)
    rt = modules["acl"].rt
    with Simulator(**CHIP, limits={"groups": 1}):
        must(rt.set_device(0))
        assert rt.get_group_count(0) == (1, 0)
        info = rt.create_group_info()
        must(rt.get_all_group_info(info))
        values, code = rt.get_group_info_detail(info, 0, C.ACL_GROUP_AICORE_INT)
        assert (code, values[0]) == (0, 8)
        assert [rt.set_group(0), rt.destroy_group_info(info)] == [0, 0]
