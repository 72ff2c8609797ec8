"""Independent faults, and memory that other threads were handed: `advice.py wrong`, or `right`, runs each.

The lines with the mark FAULT are where the findings have to point first.
"""

import ctypes
import queue
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import acl

N = 4096
H2H, H2D, D2H, D2D = range(4)


def must(answer):
    """What a call gave, without its code, which has to be 0."""
    *given, code = answer if isinstance(answer, tuple) else (answer,)
    assert code == 0, code
    return given[0] if given else None


class World:
    """Two streams, four blocks of the device and two of the host; *right*: the order that is missing is made."""

    def __init__(self, right):
        self.right = right
        must(acl.rt.set_device(0))
        self.context = must(acl.rt.get_context())
        self.s = must(acl.rt.create_stream())
        self.t = must(acl.rt.create_stream())
        self.ready = must(acl.rt.create_event())
        self.a, self.b, self.c, self.d = [must(acl.rt.malloc(N, 0)) for _ in range(4)]
        self.h, self.g = [must(acl.rt.malloc_host(N)) for _ in range(2)]
        for block in (self.a, self.b, self.c, self.d, self.h, self.g):
            must(acl.rt.memset(block, N, 0, N))

    def order(self):
        if self.right:
            must(acl.rt.record_event(self.ready, self.s))
            must(acl.rt.stream_wait_event(self.t, self.ready))

    def wait(self):
        if self.right:
            must(acl.rt.synchronize_stream(self.s))

    def end(self):
        must(acl.rt.synchronize_device())
        for block in (self.a, self.b, self.c, self.d):
            must(acl.rt.free(block))
        for block in (self.h, self.g):
            must(acl.rt.free_host(block))
        must(acl.rt.destroy_event(self.ready))
        must(acl.rt.destroy_stream(self.s))
        must(acl.rt.destroy_stream(self.t))


class Serving:
    """A thread that runs the callbacks of the stream of *w*."""

    def __init__(self, w, stream):
        self.context, self.stream, self.over = w.context, stream, False
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()
        must(acl.rt.subscribe_report(self.thread.ident, stream))

    def serve(self):
        must(acl.rt.set_context(self.context))
        while not self.over:
            acl.rt.process_report(100)

    def end(self):
        must(acl.rt.synchronize_stream(self.stream))
        must(acl.rt.unsubscribe_report(self.thread.ident, self.stream))
        self.over = True
        self.thread.join()


# -- faults that have nothing to do with each other ----------------------------------------------------------------------


def copied_to_the_device(w):
    must(acl.rt.memcpy_async(w.a, N, w.h, N, H2D, w.s))
    must(acl.rt.memcpy_async(w.b, N, w.g, N, H2D, w.s))
    w.order()
    must(acl.rt.memcpy_async(w.c, N, w.a, N, D2D, w.t))  # FAULT
    must(acl.rt.memcpy_async(w.d, N, w.b, N, D2D, w.t))  # FAULT


def copied_to_the_host(w):
    must(acl.rt.memset_async(w.a, N, 1, N, w.s))
    must(acl.rt.memset_async(w.b, N, 1, N, w.s))
    w.order()
    must(acl.rt.memcpy_async(w.h, N, w.a, N, D2H, w.t))  # FAULT
    must(acl.rt.memcpy_async(w.g, N, w.b, N, D2H, w.t))  # FAULT


def copied_by_the_host(w):
    must(acl.rt.memset_async(w.a, N, 1, N, w.s))
    must(acl.rt.memset_async(w.b, N, 1, N, w.s))
    w.wait()
    must(acl.rt.memcpy(w.h, N, w.a, N, D2H))  # FAULT
    must(acl.rt.memcpy(w.g, N, w.b, N, D2H))  # FAULT


def read_by_the_host(w):
    must(acl.rt.memcpy_async(w.h, N, w.a, N, D2H, w.s))
    must(acl.rt.memcpy_async(w.g, N, w.b, N, D2H, w.s))
    w.wait()
    acl.util.ptr_to_bytes(w.h, 16)  # FAULT
    acl.util.ptr_to_bytes(w.g, 16)  # FAULT


def read_by_a_callback(w):
    def reads(data):
        acl.util.ptr_to_bytes(w.h, 16)  # FAULT
        acl.util.ptr_to_bytes(w.g, 16)  # FAULT

    serving = Serving(w, w.t)
    must(acl.rt.memcpy_async(w.h, N, w.a, N, D2H, w.s))
    must(acl.rt.memcpy_async(w.g, N, w.b, N, D2H, w.s))
    w.order()
    must(acl.rt.launch_callback(reads, None, 1, w.t))
    serving.end()


def freed(w):
    e, f = must(acl.rt.malloc(N, 0)), must(acl.rt.malloc(N, 0))
    must(acl.rt.memset_async(e, N, 1, N, w.s))
    must(acl.rt.memset_async(f, N, 1, N, w.s))
    w.wait()
    must(acl.rt.free(e))  # FAULT
    must(acl.rt.free(f))  # FAULT


# -- memory that another thread was handed -------------------------------------------------------------------------------


def filled_through_a_queue(w):
    free, full = queue.Queue(), queue.Queue()
    free.put(w.h)

    def load():
        must(acl.rt.set_context(w.context))
        for i in range(2):
            buffer = free.get()
            must(acl.rt.memset(buffer, N, i, N))  # FAULT
            full.put(buffer)

    loader = threading.Thread(target=load)
    loader.start()
    for _ in range(2):
        buffer = full.get()
        must(acl.rt.memcpy_async(w.a, N, buffer, N, H2D, w.s))
        w.wait()
        free.put(buffer)
    loader.join()


def filled_from_a_pool(w):
    """The stream is a variable of another function."""
    pool, full, changed = [w.h, w.g], [], threading.Condition()

    def load():
        must(acl.rt.set_context(w.context))
        source = (ctypes.c_byte * N)()
        for _ in range(4):
            with changed:
                changed.wait_for(lambda: pool)
                buffer = pool.pop(0)
            must(acl.rt.memcpy(buffer, N, ctypes.addressof(source), N, H2H))  # FAULT
            with changed:
                full.append(buffer)
                changed.notify_all()

    def copy():
        stream = must(acl.rt.create_stream())
        for _ in range(4):
            with changed:
                changed.wait_for(lambda: full)
                buffer = full.pop(0)
            must(acl.rt.memcpy_async(w.a, N, buffer, N, H2D, stream))
            if w.right:
                must(acl.rt.synchronize_stream(stream))
            with changed:
                pool.append(buffer)
                changed.notify_all()
        must(acl.rt.synchronize_stream(stream))
        must(acl.rt.destroy_stream(stream))

    loader = threading.Thread(target=load)
    loader.start()
    copy()
    loader.join()


def filled_by_an_executor(w):
    def load(i):
        must(acl.rt.set_context(w.context))
        must(acl.rt.memset(w.h, N, i, N))  # FAULT

    with ThreadPoolExecutor(1) as pool:
        for i in range(2):
            pool.submit(load, i).result()
            must(acl.rt.memcpy_async(w.a, N, w.h, N, H2D, w.s))
            w.wait()


def read_too_early(w):
    full = queue.Queue()

    def read():
        must(acl.rt.set_context(w.context))
        buffer = full.get()
        w.wait()
        acl.util.ptr_to_bytes(buffer, 16)  # FAULT

    reader = threading.Thread(target=read)
    reader.start()
    must(acl.rt.memcpy_async(w.h, N, w.a, N, D2H, w.s))
    full.put(w.h)
    reader.join()


def a_block_of_the_device(w):
    free, full = queue.Queue(), queue.Queue()
    free.put(w.b)

    def load():
        must(acl.rt.set_context(w.context))
        for _ in range(2):
            block = free.get()
            must(acl.rt.memcpy(block, N, w.h, N, H2D))  # FAULT
            full.put(block)

    loader = threading.Thread(target=load)
    loader.start()
    for _ in range(2):
        block = full.get()
        must(acl.rt.memcpy_async(w.a, N, block, N, D2D, w.s))
        w.wait()
        free.put(block)
    loader.join()


def two_streams(w):
    free, full = queue.Queue(), queue.Queue()
    free.put(w.b)

    def load():
        must(acl.rt.set_context(w.context))
        for _ in range(2):
            block = free.get()
            must(acl.rt.memcpy_async(block, N, w.h, N, H2D, w.t))  # FAULT
            must(acl.rt.synchronize_stream(w.t))
            full.put(block)

    loader = threading.Thread(target=load)
    loader.start()
    for _ in range(2):
        block = full.get()
        must(acl.rt.memcpy_async(w.a, N, block, N, D2D, w.s))
        w.wait()
        free.put(block)
    loader.join()


def used_by_a_callback(w):
    free, full = queue.Queue(), queue.Queue()
    free.put(w.h)
    serving = Serving(w, w.s)

    def load():
        must(acl.rt.set_context(w.context))
        for i in range(2):
            buffer = free.get()
            must(acl.rt.memset(buffer, N, i, N))  # FAULT
            full.put(buffer)

    def use(buffer):
        acl.util.ptr_to_bytes(buffer, 16)

    loader = threading.Thread(target=load)
    loader.start()
    for _ in range(2):
        buffer = full.get()
        must(acl.rt.launch_callback(use, buffer, 1, w.s))
        w.wait()
        free.put(buffer)
    loader.join()
    serving.end()


def in_no_order(w):
    def fill():
        must(acl.rt.set_context(w.context))
        must(acl.rt.memset(w.h, N, 7, N))  # FAULT

    other = threading.Thread(target=fill)
    other.start()
    if w.right:
        other.join()
    must(acl.rt.memcpy_async(w.a, N, w.h, N, H2D, w.s))
    other.join()


CASES = {name: case for name, case in globals().items() if getattr(case, "__code__", None) is not None
         and case.__code__.co_varnames[:1] == ("w",)}  # fmt: skip

if __name__ == "__main__":
    must(acl.init())
    for name, case in CASES.items():
        world = World(sys.argv[1] == "right")
        case(world)
        world.end()
        print(name)
    must(acl.rt.reset_device(0))
    must(acl.finalize())
