"""Single operators about boxes that are turned, anchors, choices and scales: literals and plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim.ops.operator import Array, OperatorError
from tests.kit.single_operators import RANDOM, close, floats, run

FLAT = np.float32


def columns(*boxes: tuple[float, ...]) -> Array:
    """Boxes as (1, 5, boxes)."""
    return np.array(boxes, FLAT).T[None]


def test_turned_boxes_are_decoded_as_coded() -> None:
    anchors = columns((0, 0, 4, 2, 45), (1, 1, 3, 9, -30))
    truths = columns((1, 0, 5, 4, 0), (2, 0, 3, 8, 60))
    found = run("RotatedBoxEncode", anchors, truths)
    close(found[0, :, 0], [1 / 4, 1 / 2, 0, np.log(2), -1])
    close(found[0, 4, 1], np.tan(np.pi / 3) + np.tan(np.pi / 6))
    close(run("RotatedBoxDecode", anchors, found), truths, 1e-4)
    weights = [2.0, 1, 1, 1, 10]
    close(run("RotatedBoxEncode", anchors, truths, weight=weights)[0, :, 0], [1 / 2, 1 / 2, 0, np.log(2), -10])
    close(run("RotatedBoxDecode", anchors, found * np.reshape(weights, (1, 5, 1)), weight=weights), truths, 1e-4)


def test_common_areas_by_hand() -> None:
    square, turned, beside = (0, 0, 2, 2, 0), (0, 0, 2, 2, 45), (3, 0, 2, 2, 0)
    found = run("RotatedOverlaps", columns(square, beside), columns(square, turned, beside))
    octagon = 8 * (np.sqrt(2) - 1)  # what a square leaves of the same one, turned by an eighth
    close(found[0], [[4, octagon, 0], [0, 0, 4]])
    close(run("RotatedIou", columns(square), columns(turned))[0], [[octagon / (8 - octagon)]])
    close(run("RotatedIou", columns(square), columns((0, 0, 1, 1, 20)), mode="iof")[0], [[1]])
    close(run("RotatedOverlaps", columns((-1, -1, 1, 1, 0)), columns((-1, -1, 1, 1, 45)), trans=True)[0], [[octagon]])
    with pytest.raises(OperatorError, match="is_cross"):
        run("RotatedIou", columns(square), columns(square), is_cross=False)


def test_turned_boxes_that_overlap_too_much_are_left_out() -> None:
    boxes = np.array([(0, 0, 2, 2, 0), (0, 0, 2, 2, 45), (5, 5, 2, 2, 0), (1, 0, 2, 2, 0), (9, 9, 1, 1, 0)], np.float32)
    scores, label = np.array([0.5, 0.9, 0.3, 0.8, 0.0], np.float32), np.zeros((), np.int32)
    words = {"iou_threshold": 0.6, "score_threshold": 0.0, "max_output_size": -1, "mode": 0}
    found, places = run("RotatedNMS", boxes, scores, label, **words)
    assert places.tolist() == [1, 3, 2]  # the first overlaps the second by 0.71
    assert places.dtype == np.int32
    assert found.tolist() == boxes[[1, 3, 2]].tolist()
    assert run("RotatedNMS", boxes, scores, label, **words | {"iou_threshold": 0.75})[1].tolist() == [1, 3, 0, 2]
    assert run("RotatedNMS", boxes, scores, label, **words | {"max_output_size": 1})[1].tolist() == [1]
    assert run("RotatedNMS", boxes, scores, label, **words | {"score_threshold": 0.4})[1].tolist() == [1, 3]
    sides = [(-1, -1, 1, 1, 0), (-1, -1, 1, 1, 45), (4, 4, 6, 6, 0), (0, -1, 2, 1, 0), (8, 8, 9, 9, 0)]
    corners = np.array(sides, np.float32)
    assert run("RotatedNMS", corners, scores, label, **words | {"mode": 1})[1].tolist() == [1, 3, 2]
    assert run("RotatedNMS", boxes[:0], scores[:0], label, **words)[1].shape == (0,)



@pytest.mark.parametrize("trans", [False, True])
def test_common_areas_by_counting(trans: bool) -> None:
    """Against the share of points of a fine grid that lie in both; boxes of corners turn the other way."""
    boxes = np.column_stack([RANDOM.random((6, 2)) * 3, RANDOM.random((6, 2)) * 4 + 1, RANDOM.random(6) * 360 - 180])
    if trans:
        boxes[:, 2:4] += boxes[:, :2]
    boxes = boxes.astype(FLAT)
    side = np.linspace(-4, 10, 1401)
    points = np.stack(np.meshgrid(side, side))

    def inside(box: Array) -> Array:
        x, y, w, h, angle = box.astype(float)
        if trans:
            x, y, w, h, angle = (x + w) / 2, (y + h) / 2, w - x, h - y, -angle
        turn = np.deg2rad(angle)
        across = (points[0] - x) * np.cos(turn) + (points[1] - y) * np.sin(turn)
        down = (points[1] - y) * np.cos(turn) - (points[0] - x) * np.sin(turn)
        return (abs(across) <= w / 2) & (abs(down) <= h / 2)

    found = run("RotatedOverlaps", boxes[:3].T[None], boxes[3:].T[None], trans=trans)[0]
    for i, j in np.ndindex(3, 3):
        assert abs(found[i, j] - (inside(boxes[i]) & inside(boxes[3 + j])).sum() * (side[1] - side[0]) ** 2) < 0.1


def test_anchors_that_answer_for_a_box() -> None:
    truths = np.array([(0, 0, 4, 4), (10, 2, 14, 4)], FLAT)  # centres (2, 2) and (12, 3)
    found = run("AnchorResponseFlags", truths, featmap_size=[2, 4], strides=[4, 4], num_base_anchors=3)
    assert found.reshape(2, 4, 3).tolist() == [[[1] * 3, [0] * 3, [0] * 3, [1] * 3], [[0] * 3] * 4]


def test_codes_of_cells() -> None:
    anchors, truths = np.array([(0, 0, 4, 4), (0, 0, 4, 4)], FLAT), np.array([(1, 0, 5, 8), (90, 2, 90, 4)], FLAT)
    found = run("YoloBoxesEncode", anchors, truths, np.array([4, 4], np.int32))
    close(found, [[0.75, 1 - 1e-6, 0, np.log(2)], [1 - 1e-6, 0.75, np.log(1e-6), np.log(0.5)]])


@pytest.mark.parametrize("all_", [True, False])
def test_boxes_get_their_true_boxes(all_: bool) -> None:
    overlaps = np.array([(0.1, 0.4, 0.4, 0.9), (0.7, 0.2, 0.3, 0.9)], FLAT)
    free = np.array([1, 1, 1, 0], np.uint8)
    most, which = overlaps.max(0), overlaps.argmax(0).astype(np.int32)
    overlaps[:, 3] = -1
    truth_most, truth_which = overlaps.max(1), overlaps.argmax(1).astype(np.int32)
    words: dict[str, Any] = {"pos_iou_thr": 0.5, "min_pos_iou": 0.3, "gt_max_assign_all": all_}
    given = (np.zeros(4, FLAT), overlaps, free, most, which, truth_most, truth_which, np.array(2, np.int32))
    assert run("GridAssignPositive", *given, **words).tolist() == [2, 1, 1 if all_ else 0, 0]


def test_suppression_by_class() -> None:
    boxes = np.array([(0, 0, 2, 2), (0, 0, 2, 1.9), (5, 5, 6, 6)], FLAT)[None, :, None]
    scores = np.array([(0.9, 0.2), (0.8, 0.7), (0.4, 0.1)], FLAT)[None]
    words: dict[str, Any] = {"iou_threshold": 0.5, "score_threshold": 0.15, "max_size_per_class": 2, "max_total_size": 4}
    kept, points, classes, count = run("BatchMultiClassNonMaxSuppression", boxes, scores, **words)
    close(points, [[0.9, 0.7, 0.4, 0]])
    assert classes.tolist() == [[0, 1, 0, 0]] and count.tolist() == [3]
    assert kept[0].tolist() == [*(boxes[0, i, 0].tolist() for i in (0, 1, 2)), [0] * 4]
    with pytest.raises(OperatorError, match="transpose_box"):
        run("BatchMultiClassNonMaxSuppression", boxes, scores, **words, transpose_box=True)


def test_choices() -> None:
    x = RANDOM.random((6, 7)) < 0.5
    places = {tuple(place) for place in np.argwhere(x).tolist()}
    found, counts = run("RandomChoiceWithMask", x, count=8, seed=3)
    chosen = {tuple(place) for place in found.tolist()}
    assert len(chosen) == 8 and chosen <= places and counts.all()
    assert run("RandomChoiceWithMask", x, count=8, seed=3)[0].tolist() == found.tolist()
    assert run("RandomChoiceWithMask", x, count=8, seed=4)[0].tolist() != found.tolist()
    found, counts = run("RandomChoiceWithMask", x, count=len(places) + 2)
    assert {tuple(place) for place in found[:-2].tolist()} == places and found[-2:].tolist() == [[0, 0]] * 2
    assert counts.tolist() == [True] * len(places) + [False] * 2
    assert len(run("RandomChoiceWithMask", x, count=0)[0]) == len(places)


@pytest.mark.parametrize("offset", [True, False])
def test_searched_scales(offset: bool) -> None:
    """The scale found loses hardly more than any other of its range, which begins at a percentile."""
    x = floats(8, 16)
    counts = np.cumsum(np.histogram(x, 128)[0]).astype(np.int32)
    words: dict[str, Any] = {
        "min_percentile": 0.999999, "max_percentile": 0.999999, "search_range": [0.7, 1.3], "search_step": 0.01,
        "with_offset": offset,
    }  # fmt: skip
    scale, shift = (float(n.reshape(-1)[0]) for n in run("IFMR", x, [x.min()], [x.max()], counts, **words))
    assert (shift == 0) == (not offset) and shift == round(shift)

    def loss(step: float, about: float) -> float:
        codes = np.clip(np.round(x / step) + about, -128, 127)
        return float((((codes - about) * step - x) ** 2).sum())

    low, high = (min(x.min(), 0), max(x.max(), 0)) if offset else (0, abs(x).max())
    for share in np.arange(0.7, 1.3, 0.01):
        step = (high * share - low) / (255 if offset else 127)
        assert loss(scale, shift) <= loss(step, -(round(low / step) + 128) if offset else 0) * 1.05


def test_a_mask_fills_what_is_described() -> None:
    mask = run("DropOutGenMaskV3", [2, 3], np.array(0.5, np.float16), seed=1, described=[(128,)])
    assert mask.shape == (128,) and 0 < mask.sum() < 128
