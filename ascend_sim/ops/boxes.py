"""Boxes of detection networks: overlaps, coding against anchors, suppression of those that overlap."""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.operator import FLOATS, Array, Attributes, Operator, op, same

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]

TINY = 1e-16
"""Keeps quotients of empty boxes finite."""
SMALL = 1e-9


def _overlap(a: Array, b: Array) -> Array:
    """The area that boxes have in common: corners in the first axis of both, which are broadcast."""
    width = np.minimum(a[2], b[2]) - np.maximum(a[0], b[0])
    height = np.minimum(a[3], b[3]) - np.maximum(a[1], b[1])
    common: Array = np.maximum(width, 0) * np.maximum(height, 0)
    return common


def _area(a: Array) -> Array:
    area: Array = (a[2] - a[0]) * (a[3] - a[1])
    return area


@op("Iou", inputs=2, infer=lambda attributes, shapes, values: [(shapes[1][0], shapes[0][0])], dtypes=FLOATS)
def iou(attributes: Attributes, boxes: Array, truths: Array) -> Array:
    """The common area of each pair, over that of both together (``mode`` iou) or of the second one (iof).

    Boxes are ``eps`` wider and higher where their own area counts.
    """
    a, b = boxes.T[:, None, :], truths.T[:, :, None]
    more = boxes.dtype.type(attributes.get("eps", 1.0))
    first, second = ((c[2] - c[0] + more) * (c[3] - c[1] + more) for c in (a, b))
    common = _overlap(a, b)
    whole = second if attributes.get("mode", "iou") == "iof" else first + second - common
    result: Array = (common / whole).astype(boxes.dtype)
    return result


def _corners(boxes: Array, centred: bool) -> Array:
    """Corners of boxes of four rows: centre, width and height where *centred*."""
    if not centred:
        return boxes
    x, y, w, h = boxes
    return np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2])


def _paired(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(shapes[1][1] if attributes.get("is_cross", True) else 1, shapes[0][1])]


def _pairs(attributes: Attributes, boxes: Array, truths: Array) -> tuple[Array, Array]:
    centred = bool(attributes.get("trans", False))
    a, b = _corners(boxes, centred), _corners(truths, centred)
    return a[:, None, :], b[:, :, None] if attributes.get("is_cross", True) else b[:, None, :]


@op("GIoU", inputs=2, infer=_paired, dtypes=FLOATS)
def giou(attributes: Attributes, boxes: Array, truths: Array) -> Array:
    """The overlap, less the part of the box around both that neither of them covers."""
    a, b = _pairs(attributes, boxes, truths)
    common = _overlap(a, b)
    union = _area(a) + _area(b) - common + TINY
    around = np.abs(np.maximum(a[2], b[2]) - np.minimum(a[0], b[0])) * np.abs(
        np.maximum(a[3], b[3]) - np.minimum(a[1], b[1])
    )
    result: Array = (common / union - (around - union) / around).astype(boxes.dtype)
    return result


@op("DIoU", inputs=2, infer=_paired, dtypes=FLOATS)
def diou(attributes: Attributes, boxes: Array, truths: Array) -> Array:
    """The overlap, less the distance of the centres over the diagonal of the box around both, squared."""
    a, b = _pairs(attributes, boxes, truths)
    common = _overlap(a, b)
    first, second = ((c[2] - c[0]) * (c[3] - c[1] + SMALL) for c in (a, b))
    union = first + second - common + SMALL
    width = np.maximum(a[2], b[2]) - np.minimum(a[0], b[0])
    height = np.maximum(a[3], b[3]) - np.minimum(a[1], b[1])
    apart = ((b[0] + b[2] - a[0] - a[2]) ** 2 + (b[1] + b[3] - a[1] - a[3]) ** 2) / 4
    result: Array = (common / union - apart / (width**2 + height**2 + SMALL)).astype(boxes.dtype)
    return result


def _centres(boxes: Array) -> tuple[Array, Array, Array, Array]:
    """Centre, width and height of boxes whose corners are pixels that belong to them."""
    x1, y1, x2, y2 = boxes.T
    return (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1 + 1, y2 - y1 + 1


def _scales(attributes: Attributes, dtype: np.dtype[np.generic]) -> tuple[Array, Array]:
    means = np.asarray(attributes.get("means", (0.0,) * 4), dtype)
    return means, np.asarray(attributes.get("stds", (1.0,) * 4), dtype)


@op("BoundingBoxEncode", inputs=2, infer=same, dtypes=FLOATS)
def encode(attributes: Attributes, anchors: Array, truths: Array) -> Array:
    """Where the true boxes lie from the anchors, in widths and heights of these; sizes as logarithms."""
    means, deviations = _scales(attributes, anchors.dtype)
    (x, y, w, h), (gx, gy, gw, gh) = _centres(anchors), _centres(truths)
    found = np.stack([(gx - x) / w, (gy - y) / h, np.log(gw / w), np.log(gh / h)], axis=1)
    result: Array = ((found - means) / deviations).astype(anchors.dtype)
    return result


@op("BoundingBoxDecode", inputs=2, infer=same, dtypes=FLOATS)
def decode(attributes: Attributes, anchors: Array, deltas: Array) -> Array:
    """The boxes that BoundingBoxEncode coded, within ``max_shape`` (height, width)."""
    means, deviations = _scales(attributes, anchors.dtype)
    dx, dy, dw, dh = (deltas * deviations + means).T
    most = abs(np.log(float(attributes.get("wh_ratio_clip", 0.016))))
    x, y, w, h = _centres(anchors)
    cx, cy = x + w * dx, y + h * dy
    half_w, half_h = w * np.exp(np.clip(dw, -most, most)) / 2, h * np.exp(np.clip(dh, -most, most)) / 2
    found = np.stack([cx - half_w + 0.5, cy - half_h + 0.5, cx + half_w - 0.5, cy + half_h - 0.5], axis=1)
    if len(limits := attributes.get("max_shape", ())) == 2:
        height, width = limits
        found = np.clip(found, 0, np.asarray([width - 1, height - 1] * 2, found.dtype))
    return found.astype(anchors.dtype)


def _selected(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    most = values[2] if len(values) > 2 else None
    return [(-1 if most is None else int(most.reshape(-1)[0]),), ()]


@op("NonMaxSuppressionV4", inputs=(3, 5), outputs=2, infer=_selected, result=("int32", "int32"))
def suppress(
    attributes: Attributes, boxes: Array, scores: Array, most: Array, overlap: Array | None = None,
    score: Array | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """The best boxes that overlap no better one by more than a limit: their places (then zeros), and how many they are."""
    limit = 0.5 if overlap is None else float(overlap.reshape(-1)[0])
    least = 0.0 if score is None else float(score.reshape(-1)[0])
    room = int(most.reshape(-1)[0])
    y1, x1, y2, x2 = boxes.T
    sides = np.stack([np.minimum(x1, x2), np.minimum(y1, y2), np.maximum(x1, x2), np.maximum(y1, y2)])
    found: list[int] = []
    for place in np.argsort(-scores, kind="stable"):
        if scores[place] <= least or len(found) == room:
            break
        others = sides[:, found]
        common = _overlap(sides[:, [place]], others)
        whole = _area(sides[:, [place]]) + _area(others) - common
        if not np.any(common > limit * whole):
            found.append(int(place))
    places = np.zeros(room, np.int32)
    places[: len(found)] = found
    return places, np.asarray(len(found), np.int32)


def _masked(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[0], shapes[0][:1], shapes[0][:1]]


@op("NMSWithMask", inputs=1, outputs=3, infer=_masked, result=("first", "int32", "uint8"), dtypes=FLOATS)
def suppress_with_mask(attributes: Attributes, boxes: Array) -> tuple[Array, Array, Array]:
    """The boxes, best score (the fifth number) first; where each was; 1 for those that overlap no better one too much."""
    order = np.argsort(-boxes[:, 4], kind="stable")
    found = boxes[order]
    sides = found.T[:4]
    limit = float(attributes.get("iou_threshold", 0.5))
    kept = np.ones(len(order), np.uint8)
    for i in range(len(order)):
        if kept[i]:
            common = _overlap(sides[:, [i]], sides[:, i + 1 :])
            whole = _area(sides[:, [i]]) + _area(sides[:, i + 1 :]) - common
            kept[i + 1 :][common > limit * whole] = 0
    return found, order.astype(np.int32), kept


OPERATORS: tuple[Operator, ...] = (iou, giou, diou, encode, decode, suppress, suppress_with_mask)
