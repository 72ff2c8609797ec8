"""Image classification: load a model, describe it, run it on pictures, read the best class of each."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HUGE_FIRST = 0
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
FLOAT = 0

DEVICE = 0
MODEL = str(Path(__file__).parent / "models" / "digits.om")

PICTURES = {
    2: ".####... ##..##.. ....##.. ..###... .##..... ##..##.. ######.. ........",
    7: "######.. ##..##.. ....##.. ...##... ..##.... ..##.... ..##.... ........",
    4: "....##.. ...###.. ..####.. ##..##.. #######. ....##.. ...####. ........",
    0: ".####... ##..##.. ##.###.. ###.##.. ##..##.. ##..##.. .####... ........",
}


def check(what: str, ret: int) -> None:
    """Stop with a message when a call failed."""
    if ret != 0:
        raise RuntimeError(f"acl.{what} returned {ret}: {acl.get_recent_err_msg()}")


def preprocess(picture: str, noise: int, seed: int) -> NDArray[np.float32]:
    """The text of a picture as a float image, some pixels of which are wrong."""
    chance = random.Random(seed)
    pixels = np.array([[c == "#" for c in row] for row in picture.split()], np.float32)
    for place in chance.sample(range(pixels.size), noise):
        pixels.flat[place] = 1 - pixels.flat[place]
    return pixels.reshape(1, 1, 8, 8)


class Classifier:
    """A model with its buffers: one set of them serves all pictures."""

    def __init__(self, path: str) -> None:
        self.model, ret = acl.mdl.load_from_file(path)
        check("mdl.load_from_file", ret)
        self.desc = acl.mdl.create_desc()
        check("mdl.get_desc", acl.mdl.get_desc(self.desc, self.model))
        self.input = self.dataset(acl.mdl.get_num_inputs(self.desc), acl.mdl.get_input_size_by_index)
        self.output = self.dataset(acl.mdl.get_num_outputs(self.desc), acl.mdl.get_output_size_by_index)

    def describe(self) -> None:
        """The names, dims and sizes of inputs and outputs."""
        for side in ("input", "output"):
            dims, ret = getattr(acl.mdl, f"get_{side}_dims")(self.desc, 0)
            check(f"mdl.get_{side}_dims", ret)
            size = getattr(acl.mdl, f"get_{side}_size_by_index")(self.desc, 0)
            print(f"{side} {dims['name']}: {dims['dims']}, {size} bytes")

    def dataset(self, count: int, size_of: Callable[[int, int], int]) -> int:
        """A dataset with a device buffer for each tensor."""
        dataset = acl.mdl.create_dataset()
        for index in range(count):
            size = size_of(self.desc, index)
            memory, ret = acl.rt.malloc(size, HUGE_FIRST)
            check("rt.malloc", ret)
            _, ret = acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(memory, size))
            check("mdl.add_dataset_buffer", ret)
        return dataset

    def run(self, image: NDArray[Any]) -> Any:
        """The probability of each class."""
        data = np.ascontiguousarray(image).tobytes()
        buffer = acl.mdl.get_dataset_buffer(self.input, 0)
        there, room = acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size_v2(buffer)
        check("rt.memcpy", acl.rt.memcpy(there, room, acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE))
        check("mdl.execute", acl.mdl.execute(self.model, self.input, self.output))
        buffer = acl.mdl.get_dataset_buffer(self.output, 0)
        there, size = acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size_v2(buffer)
        host, ret = acl.rt.malloc_host(size)
        check("rt.malloc_host", ret)
        check("rt.memcpy", acl.rt.memcpy(host, size, there, size, DEVICE_TO_HOST))
        dims, ret = acl.mdl.get_cur_output_dims(self.desc, 0)
        check("mdl.get_cur_output_dims", ret)
        assert acl.mdl.get_output_data_type(self.desc, 0) == FLOAT
        values = np.frombuffer(acl.util.ptr_to_bytes(host, size), np.float32).reshape(dims["dims"]).copy()
        check("rt.free_host", acl.rt.free_host(host))
        return values[0]

    def close(self) -> None:
        """Give everything back, in the reverse order."""
        for dataset in (self.output, self.input):
            for index in range(acl.mdl.get_dataset_num_buffers(dataset)):
                buffer = acl.mdl.get_dataset_buffer(dataset, index)
                check("rt.free", acl.rt.free(acl.get_data_buffer_addr(buffer)))
                check("destroy_data_buffer", acl.destroy_data_buffer(buffer))
            check("mdl.destroy_dataset", acl.mdl.destroy_dataset(dataset))
        check("mdl.destroy_desc", acl.mdl.destroy_desc(self.desc))
        check("mdl.unload", acl.mdl.unload(self.model))


def main() -> int:
    check("init", acl.init())
    check("rt.set_device", acl.rt.set_device(DEVICE))
    context, ret = acl.rt.create_context(DEVICE)
    check("rt.create_context", ret)
    classifier = Classifier(MODEL)
    classifier.describe()
    right = 0
    for noise in (0, 3):
        for digit, picture in PICTURES.items():
            found = classifier.run(preprocess(picture, noise, seed=digit))
            best = int(found.argmax())
            right += best == digit
            print(f"a {digit} with {noise} wrong pixels: {best} with {100 * found[best]:.1f} %")
    classifier.close()
    check("rt.destroy_context", acl.rt.destroy_context(context))
    check("rt.reset_device", acl.rt.reset_device(DEVICE))
    check("finalize", acl.finalize())
    return 0 if right == 2 * len(PICTURES) else 1


if __name__ == "__main__":
    sys.exit(main())
