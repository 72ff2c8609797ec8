"""Constants, copies and conversions, ranges, triangles, masks that say what is filled."""

from __future__ import annotations

from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, elementwise, store

__all__: list[str] = []

elementwise(lambda self: 1, "InplaceOne")
elementwise(lambda self: 0, "InplaceZero")
elementwise(lambda self, value: np.asarray(value), "InplaceFillScalar", "InplaceFillTensor")
elementwise(lambda self, source: source, "InplaceCopy")
elementwise(lambda self: self, "NpuFormatCast")  # internal formats are kept in ND
elementwise(lambda self, data_type: self, "Cast")
elementwise(np.triu, "Triu")
elementwise(np.tril, "Tril")


@numpy_body("aclnnArange")
def arange(start: Any, end: Any, step: Any, out: Array) -> None:
    """As many as the output has; integers are counted exactly, floats by their products."""
    whole = isinstance(start, int) and isinstance(step, int)
    numbers = np.arange(out.size, dtype=np.int64 if whole else np.float64)
    store(out, (start + numbers * step).reshape(out.shape))


@numpy_body("aclnnInplaceMaskedFillTensor", "aclnnInplaceMaskedFillScalar")
def masked_fill(self: Array, mask: Array, value: Any) -> None:
    np.copyto(self, np.asarray(value).reshape(-1)[0], casting="unsafe", where=mask.astype(bool))
