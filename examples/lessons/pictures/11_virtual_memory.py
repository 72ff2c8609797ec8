"""Two pieces of memory behind one range of addresses."""

import acl

from ascend_sim import current

PIECE = 2 << 20
PROPERTIES = {
    "handleType": 0, "allocationType": 0, "memAttr": 4, "location": {"id": 0, "type": 1}, "reserve": 0,
}  # fmt: skip

acl.rt.set_device(0)
start, ret = acl.rt.reserve_mem_address(4 * PIECE, 0, 0, 1)
for number in range(2):
    piece, ret = acl.rt.malloc_physical(PIECE, PROPERTIES, 0)
    acl.rt.map_mem(start + number * PIECE, PIECE, 0, piece, 0)
sim = current()
assert sim is not None
picture = sim.show()
