"""Write digits.om, the stand-in that the examples load: it tells the digits 0 to 9 in images of 8 x 8 pixels.

Run it after a change: python examples/models/make_models.py. On a machine with an NPU a compiled model takes its place.
The network is one matrix: each digit's own picture, a bias for its size, and a softmax.
"""

import sys
from pathlib import Path

import numpy as np

from ascend_sim.om import Body, Constant, ModelDescription, TensorDescription, save

FLOAT, NCHW, ND = 0, 0, 2

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


def pictures():
    """The ten digits as float images with ones where there is ink."""
    lines = [line.split() for line in FONT.split("\n") if line]
    rows = [[[float(c == "#") for c in line[digit]] for line in lines] for digit in range(10)]
    return np.array(rows, np.float32)


def digits():
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
    blob, constants = b"", []
    for name, data_type, values in (("flat", 9, flat), ("weights", FLOAT, weights), ("bias", FLOAT, bias)):
        constants.append(Constant(name, data_type, values.shape, len(blob)))
        blob += values.tobytes()
    description = ModelDescription(
        "digits",
        (TensorDescription("image", FLOAT, (1, 1, 8, 8), NCHW),),
        (TensorDescription("probabilities", FLOAT, (1, 10), ND),),
        Body("graph", nodes=nodes),
        weight_size=len(blob),
        work_size=1024,
        cost_ns=200_000,
        constants=tuple(constants),
    )
    return description, blob


def main():
    """Write the file beside this program, or into the folder that is given."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    save(folder / "digits.om", *digits())


if __name__ == "__main__":
    main()
