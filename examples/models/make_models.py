"""Write the stand-ins that the examples load: digits.om tells digits in images of 8 x 8 pixels, colours.om
whether an NV12 picture of 64 x 64 pixels is red, green, blue or gray.

Run it after a change: python examples/models/make_models.py. On a machine with an NPU a compiled model takes its place.
The network of digits is one matrix: each digit's own picture, a bias for its size, and a softmax. That of colours takes
the means of both kinds of chroma, and tells which colour's own ones are nearest.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.om import Body, Constant, ModelDescription, TensorDescription, save

FLOAT, UINT8, INT64, NCHW, ND = 0, 4, 9, 0, 2

FONT = """
.####... ..##.... .####... .####... ....##.. ######.. ..###... ######.. .####... .####...
##..##.. .###.... ##..##.. ##..##.. ...###.. ##...... .##..... ##..##.. ##..##.. ##..##..
##.###.. ..##.... ....##.. ....##.. ..####.. #####... ##...... ....##.. ##..##.. ##..##..
###.##.. ..##.... ..###... ..###... ##..##.. ....##.. #####... ...##... .####... .#####..
##..##.. ..##.... .##..... ....##.. #######. ....##.. ##..##.. ..##.... ##..##.. ....##..
##..##.. ..##.... ##..##.. ##..##.. ....##.. ##..##.. ##..##.. ..##.... ##..##.. ...##...
.####... ######.. ######.. .####... ...####. .####... .####... ..##.... .####... .###....
........ ........ ........ ........ ........ ........ ........ ........ ........ ........
"""


def pictures() -> NDArray[np.float32]:
    """The ten digits as float images with ones where there is ink."""
    lines = [line.split() for line in FONT.split("\n") if line]
    rows = [[[float(c == "#") for c in line[digit]] for line in lines] for digit in range(10)]
    return np.array(rows, np.float32)


def digits() -> tuple[ModelDescription, bytes]:
    """The model and its weights: the best match has the largest product with its picture, less half its ink."""
    ink = pictures().reshape(10, 64)
    weights, bias = np.ascontiguousarray(ink.T), (-0.5 * (ink * ink).sum(axis=1)).astype(np.float32)
    nodes = (
        {"op": "Reshape", "inputs": ["image", "flat"], "outputs": ["pixels"], "attributes": {}},
        {"op": "MatMul", "inputs": ["pixels", "weights"], "outputs": ["products"], "attributes": {}},
        {"op": "Add", "inputs": ["products", "bias"], "outputs": ["scores"], "attributes": {}},
        {"op": "SoftmaxV2", "inputs": ["scores"], "outputs": ["probabilities"], "attributes": {"axes": (-1,)}},
    )
    flat = np.array([1, 64], np.int64)
    blob, constants = packed(("flat", INT64, flat), ("weights", FLOAT, weights), ("bias", FLOAT, bias))
    description = ModelDescription(
        "digits",
        (TensorDescription("image", FLOAT, (1, 1, 8, 8), NCHW),),
        (TensorDescription("probabilities", FLOAT, (1, 10), ND),),
        Body("graph", nodes=nodes),
        weight_size=len(blob),
        work_size=1024,
        cost_ns=200_000,
        constants=constants,
    )
    return description, blob


def packed(*tensors: Any) -> tuple[bytes, tuple[Constant, ...]]:
    """The bytes of the constants one after the other, and where each begins."""
    blob, constants = b"", []
    for name, data_type, values in tensors:
        constants.append(Constant(name, data_type, values.shape, len(blob)))
        blob += values.tobytes()
    return blob, tuple(constants)


def colours() -> tuple[ModelDescription, bytes]:
    """The model and its weights: columns to pairs, rows of the second plane to their mean, distance to each colour."""
    side = 64
    pairs = np.zeros((side, 2), np.float32)
    pairs[0::2, 0] = pairs[1::2, 1] = 2 / side
    rows = np.zeros((1, side * 3 // 2), np.float32)
    rows[0, side:] = 2 / side
    own = np.array([[85, 255], [44, 21], [255, 107], [128, 128]], np.float32) / 32  # red, green, blue, gray
    weights, bias = np.ascontiguousarray(own.T / 32), (-0.5 * (own * own).sum(axis=1)).astype(np.float32)
    nodes = (
        {"op": "Cast", "inputs": ["picture"], "outputs": ["pixels"], "attributes": {"dst_type": FLOAT}},
        {"op": "MatMul", "inputs": ["pixels", "pairs"], "outputs": ["columns"], "attributes": {}},
        {"op": "MatMul", "inputs": ["rows", "columns"], "outputs": ["chroma"], "attributes": {}},
        {"op": "MatMul", "inputs": ["chroma", "weights"], "outputs": ["products"], "attributes": {}},
        {"op": "Add", "inputs": ["products", "bias"], "outputs": ["scores"], "attributes": {}},
        {"op": "SoftmaxV2", "inputs": ["scores"], "outputs": ["probabilities"], "attributes": {"axes": (-1,)}},
    )
    tensors = {"pairs": pairs, "rows": rows, "weights": weights, "bias": bias}
    blob, constants = packed(*((name, FLOAT, values) for name, values in tensors.items()))
    description = ModelDescription(
        "colours",
        (TensorDescription("picture", UINT8, (side * 3 // 2, side), ND),),
        (TensorDescription("probabilities", FLOAT, (1, 4), ND),),
        Body("graph", nodes=nodes),
        weight_size=len(blob),
        work_size=1024,
        cost_ns=100_000,
        constants=constants,
    )
    return description, blob


def main() -> None:
    """Write the file beside this program, or into the folder that is given."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    save(folder / "digits.om", *digits())
    save(folder / "colours.om", *colours())


if __name__ == "__main__":
    main()
