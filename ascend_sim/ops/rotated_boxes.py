"""Boxes that are turned: coding against anchors, the area that two have in common.

A box is a column of five numbers: corners and an angle, or centre, width, height and an angle, in degrees.
"""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.operator import FLOATS, Array, Attributes, Operator, op, same

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]

HALF_TURN = 180.0


def _sides(boxes: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Centre, width, height and angle of boxes of corners: (batch, 5, boxes)."""
    x1, y1, x2, y2, angle = np.moveaxis(boxes, 1, 0)
    return (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1, angle * np.pi / HALF_TURN


def _weights(attributes: Attributes, dtype: np.dtype[np.generic]) -> Array:
    return np.asarray(attributes.get("weight", (1.0,) * 5), dtype).reshape(1, 5, 1)


@op("RotatedBoxEncode", inputs=2, infer=same, dtypes=FLOATS)
def encode(attributes: Attributes, anchors: Array, truths: Array) -> Array:
    """Where the true boxes lie from the anchors, in widths and heights of these; angles by their tangents."""
    (x, y, w, h, a), (gx, gy, gw, gh, ga) = _sides(anchors), _sides(truths)
    found = np.stack([(gx - x) / w, (gy - y) / h, np.log(gw / w), np.log(gh / h), np.tan(ga) - np.tan(a)], axis=1)
    result: Array = (found * _weights(attributes, anchors.dtype)).astype(anchors.dtype)
    return result


@op("RotatedBoxDecode", inputs=2, infer=same, dtypes=FLOATS)
def decode(attributes: Attributes, anchors: Array, deltas: Array) -> Array:
    """The boxes that RotatedBoxEncode coded."""
    x, y, w, h, a = _sides(anchors)
    dx, dy, dw, dh, da = np.moveaxis(deltas / _weights(attributes, anchors.dtype), 1, 0)
    cx, cy, half_w, half_h = x + dx * w, y + dy * h, w * np.exp(dw) / 2, h * np.exp(dh) / 2
    angle = np.arctan(np.tan(a) + da) * HALF_TURN / np.pi
    found = np.stack([cx - half_w, cy - half_h, cx + half_w, cy + half_h, angle], axis=1)
    return found.astype(anchors.dtype)


# -- overlaps ------------------------------------------------------------------------------------------------------------


def _corners(box: Array, of_corners: bool) -> Array:
    """The four corners of one box in their order: (4, 2)."""
    x, y, w, h, angle = (float(n) for n in box)
    if of_corners:
        x, y, w, h = (x + w) / 2, (y + h) / 2, w - x, h - y
    turn = -angle * np.pi / HALF_TURN if of_corners else angle * np.pi / HALF_TURN
    cos, sin = np.cos(turn), np.sin(turn)
    sides = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2
    corners: Array = sides @ np.array([(cos, sin), (-sin, cos)]) + (x, y)
    return corners


def _area(points: Array) -> float:
    """Of a polygon without crossings."""
    x, y = points.T
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2


def _common(a: Array, b: Array) -> float:
    """The area that two convex polygons have in common: what each side of the second one leaves of the first."""
    sign = np.sign((b[1, 0] - b[0, 0]) * (b[2, 1] - b[1, 1]) - (b[1, 1] - b[0, 1]) * (b[2, 0] - b[1, 0]))
    left = a
    for start, end in zip(b, np.roll(b, -1, axis=0), strict=True):
        if not len(left) or not sign:
            return 0.0
        side = end - start
        inside = sign * (side[0] * (left[:, 1] - start[1]) - side[1] * (left[:, 0] - start[0]))
        found = []
        for i in range(len(left)):
            j = (i + 1) % len(left)
            if inside[i] >= 0:
                found.append(left[i])
            if inside[i] * inside[j] < 0:
                found.append(left[i] + (left[j] - left[i]) * (inside[i] / (inside[i] - inside[j])))
        left = np.array(found).reshape(-1, 2)
    return _area(left)


def _pairs_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(shapes[0][0], shapes[0][2], shapes[1][2])]


def _each(attributes: Attributes, boxes: Array, others: Array, mode: str) -> Array:
    of_corners = bool(attributes.get("trans", False))
    found = np.zeros((boxes.shape[0], boxes.shape[2], others.shape[2]))
    for n in range(found.shape[0]):
        first = [_corners(box, of_corners) for box in boxes[n].T]
        second = [_corners(box, of_corners) for box in others[n].T]
        for i, j in np.ndindex(found.shape[1:]):
            found[n, i, j] = _measured(first[i], second[j], mode)
    return found.astype(boxes.dtype)


def _measured(a: Array, b: Array, mode: str) -> float:
    """The common area; over that of both together (iou) or of the second one (iof)."""
    common = _common(a, b)
    whole = {"area": 1.0, "iou": _area(a) + _area(b) - common, "iof": _area(b)}[mode]
    return common / whole if whole else 0.0


@op("RotatedOverlaps", inputs=2, infer=_pairs_shape, dtypes=FLOATS)
def overlaps(attributes: Attributes, boxes: Array, others: Array) -> Array:
    """The common area of each pair; boxes of corners turn the other way (``trans``)."""
    return _each(attributes, boxes, others, "area")


@op("RotatedIou", inputs=2, infer=_pairs_shape, dtypes=FLOATS)
def iou(attributes: Attributes, boxes: Array, others: Array) -> Array:
    """The common area of each pair, over that of both together or (``mode`` iof) of the second one."""
    if not attributes.get("is_cross", True):
        raise ValueError("is_cross false is not modelled")
    return _each(attributes, boxes, others, str(attributes.get("mode", "iou")))


@op(
    "RotatedNMS", inputs=3, outputs=2, result=("first", "int32"), counted=True,
    infer=lambda attributes, shapes, values: [(-1, shapes[0][1]), (-1,)],
)  # fmt: skip
def suppressed(attributes: Attributes, boxes: Array, scores: Array, labels: Array) -> tuple[Array, Array]:
    """The boxes (lines of five numbers), the likeliest first, without those that overlap one before too much; their places.

    Boxes of no more than ``score_threshold`` are left out, and what is beyond ``max_output_size``; *labels* is one label for
    all. ``mode`` 1: boxes of corners, which turn the other way.
    """
    most, limit = int(attributes.get("max_output_size", -1)), float(attributes["iou_threshold"])
    corners = [_corners(box, bool(attributes.get("mode", 0))) for box in boxes]
    kept: list[int] = []
    for place in np.argsort(-scores, kind="stable").tolist():
        if len(kept) == most or not scores[place] > float(attributes.get("score_threshold", 0)):
            break
        if all(_measured(corners[place], corners[other], "iou") <= limit for other in kept):
            kept.append(place)
    return boxes[kept], np.array(kept, np.int32)


OPERATORS: tuple[Operator, ...] = (encode, decode, overlaps, iou, suppressed)
