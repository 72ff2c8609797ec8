"""What reports call objects, and what they type for them: something that holds the object where it is to be typed."""

from __future__ import annotations

import ast
import re

import pytest

from ascend_sim.findings.finding import Finding
from tests.kit.texts import findings_of

HEAD = """\
N = 4096
a = acl.rt.malloc(N, 0)[0]
def fill(p, stream):
    acl.rt.memset_async(p, N, 0, N, stream)
"""

END = "acl.rt.synchronize_device()\n"
PROGRAMS = {
    "elements of a list": (
        "streams = [acl.rt.create_stream()[0] for _ in range(3)]\n"
        "acl.rt.memset_async(a, N, 0, N, streams[0])\nacl.rt.memset_async(a, N, 1, N, streams[2])\n",
        "`streams[2]` writes `a` while a memset on `streams[0]`",
        "acl.rt.record_event(ready, streams[0])\nacl.rt.stream_wait_event(streams[2], ready)",
    ),
    "attributes and entries": (
        """
class Layer:
    def __init__(self):
        self.bufs, self.streams = [], {}
        for key in ('load', 'compute'):
            p, ret = acl.rt.malloc(N, 0)
            self.bufs.append(p)
            self.streams[key], ret = acl.rt.create_stream()
    def run(self):
        acl.rt.memset_async(self.bufs[1], N, 0, N, self.streams['load'])
        acl.rt.memset_async(self.bufs[1], N, 1, N, self.streams['compute'])
layer = Layer()
layer.run()
""",
        "`layer.streams['compute']` writes `layer.bufs[1]` while a memset on `layer.streams['load']`",
        "acl.rt.record_event(ready, self.streams['load'])\nacl.rt.stream_wait_event(self.streams['compute'], ready)",
    ),
    "named tuples": (
        """
import collections
Pair = collections.namedtuple('Pair', 'buf stream')
pairs = [Pair(acl.rt.malloc(N, 0)[0], acl.rt.create_stream()[0]) for i in range(2)]
for pair in pairs:
    acl.rt.memset_async(pairs[0].buf, N, 0, N, pair.stream)
""",
        "`pairs[1].stream` writes `pairs[0].buf` while a memset on `pairs[0].stream`",
        "acl.rt.record_event(ready, pairs[0].stream)\nacl.rt.stream_wait_event(pairs[1].stream, ready)",
    ),
    "slots": (
        """
class Slot:
    __slots__ = ('stream', 'unset')
    def __init__(self):
        self.stream = acl.rt.create_stream()[0]
slots = {i: Slot() for i in (3, 7)}
acl.rt.memset_async(a, N, 0, N, slots[3].stream)
acl.rt.memset_async(a, N, 1, N, slots[7].stream)
""",
        "`slots[7].stream` writes `a` while a memset on `slots[3].stream`",
        "acl.rt.record_event(ready, slots[3].stream)\nacl.rt.stream_wait_event(slots[7].stream, ready)",
    ),
    "events of a loop": (
        """
events = []
for i in range(3):
    e, ret = acl.rt.create_event()
    events.append(e)
s, t = acl.rt.create_stream()[0], acl.rt.create_stream()[0]
acl.rt.record_event(events[1], s)
acl.rt.memset_async(a, N, 0, N, s)
acl.rt.stream_wait_event(t, events[1])
acl.rt.memset_async(a, N, 1, N, t)
""",
        "`t` writes `a` while a memset on `s`",
        "acl.rt.record_event(events[1], s)\nacl.rt.stream_wait_event(t, events[1])",
    ),
    "no names": (
        """
def work(p, first, second):
    acl.rt.memset_async(p, N, 0, N, first)
    acl.rt.memset_async(p, N, 0, N, second)
def main():
    work(acl.rt.malloc(N, 0)[0], acl.rt.create_stream()[0], acl.rt.create_stream()[0])
code = main()
""",
        "stream 3 writes a block of 4096 bytes while a memset on stream 2",
        "acl.rt.record_event(ready, first)\nacl.rt.stream_wait_event(second, ready)",
    ),
    "one name in two functions": (
        """
def first():
    s, ret = acl.rt.create_stream()
    acl.rt.memset_async(a, N, 0, N, s)
def second():
    s, ret = acl.rt.create_stream()
    acl.rt.memset_async(a, N, 0, N, s)
first()
second()
""",
        "`s of second` writes `a` while a memset on `s`",
        "acl.rt.record_event(ready, s)  # after line 8\nacl.rt.stream_wait_event(s, ready)  # before line 11",
    ),
    "a wrapper's caller": (
        "streams = [acl.rt.create_stream()[0] for _ in range(2)]\nfill(a, streams[0])\nfill(a, stream=streams[1])\n",
        "`streams[1]` writes `a` while a memset on `streams[0]`",
        "acl.rt.record_event(ready, streams[0])\nacl.rt.stream_wait_event(streams[1], ready)",
    ),
    "a name that is taken": (
        "s, t, ready = acl.rt.create_stream()[0], acl.rt.create_stream()[0], acl.rt.create_event()[0]\n"
        "fill(a, s)\nfill(a, t)\n",
        "`t` writes `a` while a memset on `s`",
        "acl.rt.record_event(ready_2, s)\nacl.rt.stream_wait_event(t, ready_2)",
    ),
    "context managers": (
        """
from contextlib import contextmanager
@contextmanager
def stream():
    s, ret = acl.rt.create_stream()
    yield s
    acl.rt.destroy_stream(s)
with stream() as one, stream() as two:
    acl.rt.memset_async(a, N, 0, N, one)
    acl.rt.memset_async(a, N, 1, N, two)
    acl.rt.synchronize_device()
""",
        "`two` writes `a` while a memset on `one`",
        "acl.rt.record_event(ready, one)\nacl.rt.stream_wait_event(two, ready)",
    ),
    "a method of two objects": (
        """
class Stream:
    def __init__(self):
        self.handle = acl.rt.create_stream()[0]
    def fill(self, p):
        acl.rt.memset_async(p, N, 0, N, self.handle)
def go(p):
    load, work = Stream(), Stream()
    load.fill(p)
    work.fill(p)
    acl.rt.synchronize_device()
go(a)
""",
        "`work.handle` writes `a` while a memset on `load.handle`",
        "acl.rt.record_event(ready, load.handle)\nacl.rt.stream_wait_event(work.handle, ready)",
    ),
    "dicts of the library": (
        """
import collections, types
streams = collections.OrderedDict((name, acl.rt.create_stream()[0]) for name in ('load', 'work'))
bufs = collections.defaultdict(dict)
for name in ('in', 'out'):
    bufs[name]['data'] = acl.rt.malloc(N, 0)[0]
config = types.SimpleNamespace(streams=streams)
def go(config):
    acl.rt.memset_async(bufs['out']['data'], N, 0, N, config.streams['load'])
    acl.rt.memset_async(bufs['out']['data'], N, 0, N, config.streams['work'])
go(config)
""",
        "`streams['work']` writes `bufs['out']['data']` while a memset on `streams['load']`",
        "acl.rt.record_event(ready, config.streams['load'])\nacl.rt.stream_wait_event(config.streams['work'], ready)",
    ),
    "a call as the argument": (
        """
import contextvars
current = contextvars.ContextVar('stream')
current.set(acl.rt.create_stream()[0])
s = acl.rt.create_stream()[0]
acl.rt.memset_async(a, N, 0, N, current.get())
acl.rt.memset_async(a, N, 0, N, s)
""",
        "`s` writes `a` while a memset on stream 2",
        "acl.rt.record_event(ready, stream_2)  # with the stream that line 10 passes\nacl.rt.stream_wait_event(s, ready)",
    ),
    "coroutines": (
        """
import asyncio
async def call(f, *args):
    await asyncio.sleep(0)
    return f(*args)
async def worker(p, stream):
    await call(acl.rt.memset_async, p, N, 0, N, stream)
async def main():
    first, second = (await call(acl.rt.create_stream))[0], (await call(acl.rt.create_stream))[0]
    await asyncio.gather(worker(a, first), worker(a, second))
asyncio.run(main())
""",
        "`second` writes `a` while a memset on `first`",
        "acl.rt.record_event(ready, stream)  # for `first`\nacl.rt.stream_wait_event(stream, ready)  # for `second`",
    ),
    "arrays of numbers": (
        """
import array
import numpy as np
from ascend_sim import ascendcl as C
streams = np.array([acl.rt.create_stream()[0] for _ in range(2)])
blocks = array.array('Q', [acl.rt.malloc(N, 0)[0] for _ in range(2)])
third = np.uint64(acl.rt.create_stream()[0])
C.aclrtMemsetAsync(blocks[1], N, 0, N, streams[1])
C.aclrtMemsetAsync(blocks[1], N, 1, N, third)
""",
        "`third` writes `blocks[1]` while a memset on `streams[1]`",
        "aclrtRecordEvent(ready, streams[1])\naclrtStreamWaitEvent(third, ready)",
    ),
    "pointers of ctypes": (
        """
import ctypes
class Handle:
    def __init__(self):
        self.it = ctypes.c_void_p(acl.rt.create_stream()[0])
handles = [Handle(), Handle()]
acl.rt.memset_async(a, N, 0, N, handles[0].it.value)
acl.rt.memset_async(a, N, 0, N, handles[1].it.value)
""",
        "`handles[1].it` writes `a` while a memset on `handles[0].it`",
        "acl.rt.record_event(ready, handles[0].it.value)\nacl.rt.stream_wait_event(handles[1].it.value, ready)",
    ),
    "scalars of numpy, which pyACL refuses": (
        """
import numpy as np
streams = np.array([acl.rt.create_stream()[0] for _ in range(2)])
third = np.uint64(acl.rt.create_stream()[0])
acl.rt.memset_async(a, N, 0, N, int(streams[1]))
acl.rt.memset_async(a, N, 1, N, int(third))
""",
        "`third` writes `a` while a memset on `streams[1]`",
        "acl.rt.record_event(ready, int(streams[1]))\nacl.rt.stream_wait_event(int(third), ready)",
    ),
    "a pointer of ctypes that a function makes an int": (
        """
import ctypes
third = ctypes.c_void_p(acl.rt.create_stream()[0])
fourth = ctypes.c_uint64(acl.rt.create_stream()[0])
def stream_of(it):
    return it.value
acl.rt.memset_async(a, N, 0, N, stream_of(third))
acl.rt.memset_async(a, N, 1, N, stream_of(fourth))
""",
        "`fourth` writes `a` while a memset on `third`",
        "acl.rt.record_event(ready, third.value)\nacl.rt.stream_wait_event(fourth.value, ready)",
    ),
}  # fmt: skip


def race_of(name: str, body: str) -> Finding:
    (race,) = [f for f in findings_of(name.replace(" ", "_"), HEAD + body + END) if f.kind == "race"]
    return race


@pytest.mark.parametrize("name", PROGRAMS)
def test_titles_and_code_name_what_holds_the_object(name: str) -> None:
    body, title, code = PROGRAMS[name]
    race = race_of(name, body)
    assert title in race.title
    _, *lines = race.fix.split("\n")
    assert "\n".join(lines) == code
    for line in lines:
        ast.parse(line)
    told = re.findall(r"`([^`]+)`", race.title)
    assert len(set(told)) == len(told), "two objects are never called the same"


def test_a_free_that_came_too_early_names_the_stream_as_the_call_before_it_does() -> None:
    found = findings_of("early_free", """
streams = [acl.rt.create_stream()[0] for _ in range(2)]
def go():
    p = acl.rt.malloc(64, 0)[0]
    acl.rt.memset_async(p, 64, 0, 64, streams[1])
    acl.rt.free(p)
go()
""")  # fmt: skip
    assert [f.fix for f in found if f.kind == "use-after-free"] == ["before that: acl.rt.synchronize_stream(streams[1])"]


def test_a_free_that_came_too_early_types_an_int_for_a_scalar_of_numpy() -> None:
    found = findings_of("early_free_of_numpy", """
import numpy as np
streams = np.array([acl.rt.create_stream()[0] for _ in range(2)])
def go():
    p = acl.rt.malloc(64, 0)[0]
    acl.rt.memset_async(p, 64, 0, 64, int(streams[1]))
    acl.rt.free(p)
    acl.rt.synchronize_device()
go()
""")  # fmt: skip
    assert [f.fix for f in found if f.kind == "use-after-free"] == [
        "before that: acl.rt.synchronize_stream(int(streams[1]))"
    ]


def test_a_name_that_another_object_has_now_is_not_typed() -> None:
    race = race_of("moved", """
def run():
    s, ret = acl.rt.create_stream()
    old, (s, ret) = s, acl.rt.create_stream()
    acl.rt.memset_async(a, N, 0, N, old)
    acl.rt.memset_async(a, N, 0, N, s)
    acl.rt.synchronize_device()
run()
""")  # fmt: skip
    assert race.fix.endswith("acl.rt.record_event(ready, old)\nacl.rt.stream_wait_event(s, ready)")


def test_looking_for_names_keeps_nothing_alive() -> None:
    """Before Python 3.13 a frame keeps the dict of its locals that was asked for."""
    found = findings_of("alive", HEAD + """
class Held:
    gone = []
    def __del__(self):
        self.gone.append(1)
def run():
    streams = [acl.rt.create_stream()[0] for _ in range(2)]
    held = Held()
    fill(a, streams[0])
    fill(a, streams[1])
    acl.rt.synchronize_device()
    del held
    assert Held.gone, 'a report kept it'
run()
""")  # fmt: skip
    assert "`streams[1]`" in found[0].title


def test_locals_that_a_program_keeps_are_left_alone() -> None:
    findings_of("kept", HEAD + """
def run():
    streams = [acl.rt.create_stream()[0] for _ in range(2)]
    mine = locals()
    mine['streams'] = 7
    fill(a, streams[0])
    fill(a, streams[1])
    acl.rt.synchronize_device()
    assert mine['streams'] == 7
run()
""")  # fmt: skip


def test_nothing_of_the_program_is_called() -> None:
    findings_of("quiet", HEAD + """
class Loud:
    def __getattribute__(self, name): raise RuntimeError(name)
    def __eq__(self, other): raise RuntimeError
    __hash__ = None
class Lazy(dict):
    def __getitem__(self, key): raise RuntimeError
    def items(self): raise RuntimeError
loud, lazy = Loud(), Lazy(a=1)
streams = [acl.rt.create_stream()[0] for _ in range(2)]
fill(a, streams[0])
fill(a, streams[1])
""")  # fmt: skip
