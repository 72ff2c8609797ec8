"""Asynchronous inference: executions in a queue, and after every few of them a callback reads their results.

A thread of its own serves the callbacks. Results are copied to host memory in the stream, and the callbacks are
blocking ones: the stream waits for them, so the next round does not overwrite what they read.
"""

import sys
from pathlib import Path
from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HUGE_FIRST = 0
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
CALLBACK_BLOCK = 1

DEVICE = 0
MODEL = str(Path(__file__).parent / "models" / "digits.om")
PICTURES = {
    1: "..##.... .###.... ..##.... ..##.... ..##.... ..##.... ######.. ........",
    7: "######.. ##..##.. ....##.. ...##... ..##.... ..##.... ..##.... ........",
    8: ".####... ##..##.. ##..##.. .####... ##..##.. ##..##.. .####... ........",
}
ROUNDS = 4
TIMEOUT_MS = 100

running = True
results: list[Any] = []


def check(what: str, ret: int) -> None:
    """Stop with a message when a call failed."""
    if ret != 0:
        raise RuntimeError(f"acl.{what} returned {ret}: {acl.get_recent_err_msg()}")


def made(what: str, result: Any) -> Any:
    """The value of a call that returns (value, ret)."""
    value, ret = result
    check(what, ret)
    return value


def serve(args: Any) -> None:
    """The callback thread: it needs a context, and it looks for the end between two reports."""
    (context,) = args
    check("rt.set_context", acl.rt.set_context(context))
    while running:
        acl.rt.process_report(TIMEOUT_MS)  # a time-out is no fault: look again


def collect(args: Any) -> None:
    """Runs in the callback thread while the stream waits: the best class of every output of the round."""
    round_, hosts, size = args
    found = [int(np.frombuffer(acl.util.ptr_to_bytes(host, size), np.float32).argmax()) for host in hosts]
    results.append((round_, found))


def dataset(size: int, values: Any = None) -> int:
    """A dataset with one device buffer, which holds *values* if there are any."""
    memory = made("rt.malloc", acl.rt.malloc(size, HUGE_FIRST))
    if values is not None:
        data = np.ascontiguousarray(values, np.float32).tobytes()
        check("rt.memcpy", acl.rt.memcpy(memory, size, acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE))
    dataset = acl.mdl.create_dataset()
    made("mdl.add_dataset_buffer", acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(memory, size)))
    return dataset


def drop(dataset: int) -> None:
    """Give a dataset, its buffer and its memory back."""
    buffer = acl.mdl.get_dataset_buffer(dataset, 0)
    check("rt.free", acl.rt.free(acl.get_data_buffer_addr(buffer)))
    check("destroy_data_buffer", acl.destroy_data_buffer(buffer))
    check("mdl.destroy_dataset", acl.mdl.destroy_dataset(dataset))


def pixels(picture: str) -> NDArray[np.float32]:
    """The text of a picture as a float image."""
    return np.array([[c == "#" for c in row] for row in picture.split()], np.float32)


def main() -> int:
    global running
    check("init", acl.init())
    check("rt.set_device", acl.rt.set_device(DEVICE))
    context = made("rt.create_context", acl.rt.create_context(DEVICE))
    stream = made("rt.create_stream", acl.rt.create_stream())
    model = made("mdl.load_from_file", acl.mdl.load_from_file(MODEL))
    desc = acl.mdl.create_desc()
    check("mdl.get_desc", acl.mdl.get_desc(desc, model))
    in_size, out_size = acl.mdl.get_input_size_by_index(desc, 0), acl.mdl.get_output_size_by_index(desc, 0)
    inputs = [dataset(in_size, pixels(picture)) for picture in PICTURES.values()]
    outputs = [dataset(out_size) for _ in PICTURES]
    hosts = [made("rt.malloc_host", acl.rt.malloc_host(out_size)) for _ in PICTURES]

    thread = made("util.start_thread", acl.util.start_thread(serve, [context]))
    check("rt.subscribe_report", acl.rt.subscribe_report(thread, stream))
    for round_ in range(ROUNDS):
        for read, written, host in zip(inputs, outputs, hosts, strict=True):
            check("mdl.execute_async", acl.mdl.execute_async(model, read, written, stream))
            there = acl.get_data_buffer_addr(acl.mdl.get_dataset_buffer(written, 0))
            ret = acl.rt.memcpy_async(host, out_size, there, out_size, DEVICE_TO_HOST, stream)
            check("rt.memcpy_async", ret)
        check("rt.launch_callback", acl.rt.launch_callback(collect, [round_, hosts, out_size], CALLBACK_BLOCK, stream))
    check("rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    check("rt.unsubscribe_report", acl.rt.unsubscribe_report(thread, stream))
    running = False
    check("util.stop_thread", acl.util.stop_thread(thread))

    for round_, found in results:
        print(f"round {round_}: {found}")
    good = len(results) == ROUNDS and all(found == list(PICTURES) for _, found in results)
    for used in (*inputs, *outputs):
        drop(used)
    for host in hosts:
        check("rt.free_host", acl.rt.free_host(host))
    check("mdl.destroy_desc", acl.mdl.destroy_desc(desc))
    check("mdl.unload", acl.mdl.unload(model))
    check("rt.destroy_stream", acl.rt.destroy_stream(stream))
    check("rt.destroy_context", acl.rt.destroy_context(context))
    check("rt.reset_device", acl.rt.reset_device(DEVICE))
    check("finalize", acl.finalize())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
