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
YOLO_LEAST = 1e-6
"""How near to the border of its cell a centre is coded, and the smallest quotient of sizes."""


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


def _best(boxes: Array, scores: Array, room: int, limit: float, least: float) -> list[int]:
    """The places of at most *room* boxes of more than *least* that overlap no better one by more than *limit*."""
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
    return found


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
    found = _best(boxes, scores, room, limit, least)
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


def _gradient_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[1], shapes[2]]


def _of_corners(boxes: Array, grads: Array, centred: bool) -> Array:
    """The gradients of boxes, from those of their corners."""
    if not centred:
        return grads
    x1, y1, x2, y2 = grads
    return np.stack([x1 + x2, y1 + y2, (x2 - x1) / 2, (y2 - y1) / 2])


class Pairs:
    """Corners of pairs of boxes, one row a corner, and the gradients that come to them."""

    def __init__(self, attributes: Attributes, boxes: Array, truths: Array) -> None:
        self.centred = bool(attributes.get("trans", False))
        self.cross = bool(attributes.get("is_cross", True))
        a, b = _corners(boxes, self.centred), _corners(truths, self.centred)
        shape = (b.shape[1], a.shape[1]) if self.cross else (1, a.shape[1])
        self.boxes, self.truths = boxes, truths
        self.a = np.broadcast_to(a[:, None, :], (4, *shape))
        self.b = np.broadcast_to(b[:, :, None] if self.cross else b[:, None, :], (4, *shape))
        self.grads = np.zeros((2, 4, *shape), boxes.dtype)

    def add(self, side: int, of: int, grad: Array) -> None:
        """*grad* more for the corner *side* of the boxes (*of* 0) or the true ones (1)."""
        self.grads[of, side] += grad

    def largest(self, side: int, grad: Array, sign: int = 1) -> None:
        """The gradient of the larger of both corners (*sign* -1: the smaller); half for each of two that are equal."""
        first, second = sign * self.a[side], sign * self.b[side]
        share = np.where(first > second, 1.0, np.where(first == second, 0.5, 0.0)).astype(grad.dtype)
        self.add(side, 0, grad * share)
        self.add(side, 1, grad * (1 - share))

    def common(self, grad: Array) -> None:
        """The gradient of the common area."""
        width = np.minimum(self.a[2], self.b[2]) - np.maximum(self.a[0], self.b[0])
        height = np.minimum(self.a[3], self.b[3]) - np.maximum(self.a[1], self.b[1])
        both = (width > 0) & (height > 0)
        of_width, of_height = grad * both * height, grad * both * width
        self.largest(2, of_width, -1)
        self.largest(0, -of_width)
        self.largest(3, of_height, -1)
        self.largest(1, -of_height)

    def around(self, of_width: Array, of_height: Array) -> None:
        """The gradients of the width and the height of the box around both."""
        self.largest(2, of_width)
        self.largest(0, -of_width, -1)
        self.largest(3, of_height)
        self.largest(1, -of_height, -1)

    def area(self, of: int, grad: Array, more: float) -> None:
        """The gradient of the area of one of both, whose height has *more*."""
        corners = self.b if of else self.a
        width, height = corners[2] - corners[0], corners[3] - corners[1] + more
        for side, value in ((2, height), (0, -height), (3, width), (1, -width)):
            self.add(side, of, grad * value)

    def results(self) -> tuple[Array, Array]:
        """The gradients of the boxes and of the true boxes."""
        mine = self.grads[0].sum(axis=1)
        theirs = self.grads[1].sum(axis=2) if self.cross else self.grads[1].sum(axis=1)
        return _of_corners(self.boxes, mine, self.centred), _of_corners(self.truths, theirs, self.centred)


@op("GIoUGrad", inputs=3, outputs=2, infer=_gradient_shapes, result=("second", "third"), dtypes=FLOATS)
def giou_grad(attributes: Attributes, grad: Array, boxes: Array, truths: Array) -> tuple[Array, Array]:
    """The gradients of both boxes."""
    pairs = Pairs(attributes, boxes, truths)
    a, b, grad = pairs.a, pairs.b, grad.reshape(pairs.a.shape[1:])
    common = _overlap(a, b)
    union = _area(a) + _area(b) - common + TINY
    width = np.maximum(a[2], b[2]) - np.minimum(a[0], b[0])
    height = np.maximum(a[3], b[3]) - np.minimum(a[1], b[1])
    around = width * height
    of_union = grad * (1 / around - common / union**2)  # common / union + union / around - 1
    of_around = -grad * union / around**2
    pairs.common(grad / union - of_union)
    pairs.area(0, of_union, 0.0)
    pairs.area(1, of_union, 0.0)
    pairs.around(of_around * height, of_around * width)
    return pairs.results()


@op("DIoUGrad", inputs=3, outputs=2, infer=_gradient_shapes, result=("second", "third"), dtypes=FLOATS)
def diou_grad(attributes: Attributes, grad: Array, boxes: Array, truths: Array) -> tuple[Array, Array]:
    """The gradients of both boxes."""
    pairs = Pairs(attributes, boxes, truths)
    a, b, grad = pairs.a, pairs.b, grad.reshape(pairs.a.shape[1:])
    common = _overlap(a, b)
    first, second = ((c[2] - c[0]) * (c[3] - c[1] + SMALL) for c in (a, b))
    union = first + second - common + SMALL
    width = np.maximum(a[2], b[2]) - np.minimum(a[0], b[0])
    height = np.maximum(a[3], b[3]) - np.minimum(a[1], b[1])
    diagonal = width**2 + height**2 + SMALL
    across, down = b[0] + b[2] - a[0] - a[2], b[1] + b[3] - a[1] - a[3]
    apart = (across**2 + down**2) / 4
    of_union = -grad * common / union**2
    pairs.common(grad / union - of_union)
    pairs.area(0, of_union, SMALL)
    pairs.area(1, of_union, SMALL)
    of_diagonal = grad * apart / diagonal**2
    pairs.around(2 * width * of_diagonal, 2 * height * of_diagonal)
    for of, sign in ((0, 1), (1, -1)):
        for side, value in ((0, across), (2, across), (1, down), (3, down)):
            pairs.add(side, of, sign * grad * value / (2 * diagonal))
    return pairs.results()


# -- anchors ---------------------------------------------------------------------------------------------------------------


def _flags_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    rows, columns = attributes["featmap_size"]
    return [(rows * columns * int(attributes["num_base_anchors"]),)]


@op("AnchorResponseFlags", inputs=1, infer=_flags_shape, result="uint8", dtypes=FLOATS)
def response_flags(attributes: Attributes, truths: Array) -> Array:
    """1 for the anchors of each cell of the map in which a true box has its centre."""
    rows, columns = attributes["featmap_size"]
    across, down = attributes["strides"]
    x = np.floor((truths[:, 0] + truths[:, 2]) / 2 / across).astype(np.int64)
    y = np.floor((truths[:, 1] + truths[:, 3]) / 2 / down).astype(np.int64)
    flags = np.zeros(rows * columns, np.uint8)
    flags[y * columns + x] = 1
    return np.repeat(flags, int(attributes["num_base_anchors"]))


@op("YoloBoxesEncode", inputs=3, infer=same, dtypes=(FLOATS, FLOATS, (3,)))
def yolo_encode(attributes: Attributes, anchors: Array, truths: Array, strides: Array) -> Array:
    """Where the true boxes lie in the cells of their anchors, from 0 to 1, and the logarithms of their sizes."""
    least, step = anchors.dtype.type(YOLO_LEAST), strides.astype(anchors.dtype)
    (x1, y1, x2, y2), (gx1, gy1, gx2, gy2) = anchors.T, truths.T
    places = [
        np.clip(((g1 + g2) / 2 - (a1 + a2) / 2) / step + 0.5, least, 1 - least)
        for a1, a2, g1, g2 in ((x1, x2, gx1, gx2), (y1, y2, gy1, gy2))
    ]
    sizes = [
        np.log(np.maximum((g2 - g1) / (a2 - a1), least)) for a1, a2, g1, g2 in ((x1, x2, gx1, gx2), (y1, y2, gy1, gy2))
    ]
    return np.stack([*places, *sizes], axis=1).astype(anchors.dtype)


@op("GridAssignPositive", inputs=8, infer=same)
def assign(
    attributes: Attributes, assigned: Array, overlaps: Array, responsible: Array, most: Array, which: Array,
    truth_most: Array, truth_which: Array, count: Array,
) -> Array:  # fmt: skip
    """For each box the number of its true box, from 1 on: the one that it overlaps most, if by enough; else what it was.

    Then each true box gets the box with its largest overlap, or all of them (``gt_max_assign_all``).
    """
    found, free = np.array(assigned), responsible != 0
    positive = (most > attributes["pos_iou_thr"]) & free
    found[positive] = which[positive] + 1
    for i in range(min(int(count.reshape(-1)[0]), len(truth_most))):
        if truth_most[i] > attributes["min_pos_iou"]:
            if attributes["gt_max_assign_all"]:
                found[(overlaps[i] == truth_most[i]) & free] = i + 1
            elif free[truth_which[i]]:
                found[truth_which[i]] = i + 1
    return found


def _classes_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    images, room = shapes[0][0], int(attributes["max_total_size"])
    return [(images, room, 4), (images, room), (images, room), (images,)]


@op(
    "BatchMultiClassNonMaxSuppression", inputs=2, outputs=4, infer=_classes_shapes,
    result=("first", "first", "first", "int32"), dtypes=FLOATS,
)  # fmt: skip
def suppress_by_class(attributes: Attributes, boxes: Array, scores: Array) -> tuple[Array, Array, Array, Array]:
    """For each image the best boxes of all classes, none of which overlaps a better one of its class too much.

    boxes: (images, boxes, 1 or classes, 4), scores: (images, boxes, classes). Behind them come zeros.
    """
    if attributes.get("change_coordinate_frame", False) or attributes.get("transpose_box", False):
        raise ValueError("change_coordinate_frame and transpose_box are not modelled")
    images, room = boxes.shape[0], int(attributes["max_total_size"])
    limit, least = float(attributes["iou_threshold"]), float(attributes["score_threshold"])
    kept = np.zeros((images, room, 4), boxes.dtype)
    points, classes = np.zeros((images, room), boxes.dtype), np.zeros((images, room), boxes.dtype)
    counts = np.zeros(images, np.int32)
    for n in range(images):
        found: list[tuple[float, int, int]] = []
        for c in range(scores.shape[2]):
            own = boxes[n, :, c if boxes.shape[2] > 1 else 0]
            places = _best(own, scores[n, :, c], int(attributes["max_size_per_class"]), limit, least)
            found += [(-float(scores[n, place, c]), c, place) for place in places]
        best = sorted(found)[:room]
        counts[n] = len(best)
        for k, (score, c, place) in enumerate(best):
            kept[n, k] = boxes[n, place, c if boxes.shape[2] > 1 else 0]
            points[n, k], classes[n, k] = -score, c
    return kept, points, classes, counts


OPERATORS: tuple[Operator, ...] = (
    iou, giou, diou, encode, decode, suppress, suppress_with_mask, giou_grad, diou_grad, response_flags, yolo_encode,
    assign, suppress_by_class,
)  # fmt: skip
