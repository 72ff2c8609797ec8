"""Functions that only hand a call on: reports show, and name things after, who called them."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import Simulator, ascendcl
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.rendering import full
from ascend_sim.pyacl import modules
from ascend_sim.source.callsite import SKIP_FRAMES
from tests.kit.texts import findings_of

MAIN = """
init(); set_device(0)
a = {malloc}
b = {malloc}
s = {stream}
t = {stream}
{copy_a}
{copy_b}
"""

WRAPPERS = {
    "call": (
        """
def call(function, *args):
    out = function(*args)
    if (out[-1] if isinstance(out, tuple) else out):
        raise RuntimeError(out)
    return out[0] if isinstance(out, tuple) else None
""",
        "call(acl.rt.malloc, 4096, 0)", "call(acl.rt.create_stream)",
        "call(acl.rt.memset_async, b, 4096, 0, 4096, {0})",
    ),
    "by name": (
        """
def call(name, *args):
    out = getattr(acl.rt, name)(*args)
    return out[0] if isinstance(out, tuple) else out
""",
        "call('malloc', 4096, 0)", "call('create_stream')", "call('memset_async', b, 4096, 0, 4096, {0})",
    ),
    "one for each": (
        """
def malloc(size):
    ptr, ret = acl.rt.malloc(size, 0)
    assert ret == 0
    return ptr
def stream():
    made, ret = acl.rt.create_stream()
    return made
def fill(ptr, size, stream):
    ret = acl.rt.memset_async(ptr, size, 0, size, stream)
    assert ret == 0
""",
        "malloc(4096)", "stream()", "fill(b, 4096, {0})",
    ),
    "decorator": (
        """
import functools
def checked(function):
    @functools.wraps(function)
    def inner(*args, **kw):
        out = function(*args, **kw)
        return out[0] if isinstance(out, tuple) else out
    return inner
malloc, stream, fill = map(checked, (acl.rt.malloc, acl.rt.create_stream, acl.rt.memset_async))
""",
        "malloc(4096, 0)", "stream()", "fill(b, 4096, 0, 4096, {0})",
    ),
    "wrapper of a wrapper": (
        """
def check(out):
    if (out[-1] if isinstance(out, tuple) else out):
        raise RuntimeError(out)
    return out[0] if isinstance(out, tuple) else None
def call(function, *args):
    return check(function(*args))
def malloc(size):
    return call(acl.rt.malloc, size, 0)
def stream():
    return call(acl.rt.create_stream)
def fill(p, n, s):
    call(acl.rt.memset_async, p, n, 0, n, s)
""",
        "malloc(4096)", "stream()", "fill(b, 4096, {0})",
    ),
    "lambda of a lambda": (
        """
one = lambda f: lambda *a: (lambda out: out[0] if isinstance(out, tuple) else out)(f(*a))
malloc, stream, fill = one(acl.rt.malloc), one(acl.rt.create_stream), one(acl.rt.memset_async)
""",
        "malloc(4096, 0)", "stream()", "fill(b, 4096, 0, 4096, {0})",
    ),
    "proxy": (
        """
class Api:
    def __init__(self, module):
        self.module = module
    def __getattr__(self, name):
        function = getattr(self.module, name)
        def inner(*args):
            out = function(*args)
            code = out[-1] if isinstance(out, tuple) else out
            if code:
                raise RuntimeError(name, code)
            return out[0] if isinstance(out, tuple) else None
        return inner
rt = Api(acl.rt)
""",
        "rt.malloc(4096, 0)", "rt.create_stream()", "rt.memset_async(b, 4096, 0, 4096, {0})",
    ),
    "methods": (
        """
class Device:
    def call(self, f, *args):
        self.last = f(*args)
        return self.last[0] if isinstance(self.last, tuple) else self.last
    def malloc(self, n): return self.call(acl.rt.malloc, n, 0)
    def stream(self): return self.call(acl.rt.create_stream)
    def fill(self, p, n, s): self.call(acl.rt.memset_async, p, n, 0, n, s)
d = Device()
""",
        "d.malloc(4096)", "d.stream()", "d.fill(b, 4096, {0})",
    ),
    "callable objects": (
        """
class Checked:
    def __init__(self, f):
        self.f = f
    def __call__(self, *args):
        out = self.f(*args)
        return out[0] if isinstance(out, tuple) else out
malloc, stream, fill = Checked(acl.rt.malloc), Checked(acl.rt.create_stream), Checked(acl.rt.memset_async)
""",
        "malloc(4096, 0)", "stream()", "fill(b, 4096, 0, 4096, {0})",
    ),
    "generated": (
        """
exec("def call(f, *args):\\n    out = f(*args)\\n    return out[0] if isinstance(out, tuple) else out\\n")
""",
        "call(acl.rt.malloc, 4096, 0)", "call(acl.rt.create_stream)", "call(acl.rt.memset_async, b, 4096, 0, 4096, {0})",
    ),
    "conversions": (
        """
def malloc(size): return acl.rt.malloc(int(size), 0)[0]
def stream(): return acl.rt.create_stream()[0]
def fill(p, count, s):
    ret = acl.rt.memset_async(int(p), 4 * int(count), 0, 4 * count, s)
    if ret != 0:
        raise RuntimeError(f"memset_async failed: {ret}")
""",
        "malloc(4096)", "stream()", "fill(b, 1024, {0})",
    ),
    "the text of the error": (
        """
def call(f, *args):
    for attempt in range(3):
        out = f(*args)
        code = out[-1] if isinstance(out, tuple) else out
        if code == 0:
            return out[0] if isinstance(out, tuple) else None
    raise RuntimeError(f"{f.__name__}: {acl.get_recent_err_msg()}")
""",
        "call(acl.rt.malloc, 4096, 0)", "call(acl.rt.create_stream)", "call(acl.rt.memset_async, b, 4096, 0, 4096, {0})",
    ),
    "partial": (
        """
import functools
def call(f, *args):
    out = f(*args)
    return out[0] if isinstance(out, tuple) else out
malloc, stream = functools.partial(call, acl.rt.malloc), functools.partial(call, acl.rt.create_stream)
fill = functools.partial(call, acl.rt.memset_async)
""",
        "malloc(4096, 0)", "stream()", "fill(b, 4096, 0, 4096, {0})",
    ),
    "a proxy of a path": (
        """
import threading, time
class Function:
    def __init__(self, owner, path): self.owner, self.path = owner, path
    def __getattr__(self, name): return Function(self.owner, (*self.path, name))
    def __call__(self, *args):
        f, start = acl, time.perf_counter()
        for part in self.path: f = getattr(f, part)
        with self.owner.lock:
            out = f(*args)
        self.owner.times.append(time.perf_counter() - start)
        *values, code = out if isinstance(out, tuple) else (out,)
        if code: raise RuntimeError(f"{'.'.join(self.path)}: {code}")
        return values[0] if len(values) == 1 else None
class Api:
    def __init__(self): self.lock, self.times = threading.Lock(), []
    def __getattr__(self, name): return Function(self, (name,))
api = Api()
""",
        "api.rt.malloc(4096, 0)", "api.rt.create_stream()", "api.rt.memset_async(b, 4096, 0, 4096, {0})",
    ),
    "try, else, finally": (
        """
import functools
def checked(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        try:
            out = f(*args, **kwargs)
        except TypeError as error:
            raise RuntimeError(f.__name__) from error
        else:
            return out[0] if isinstance(out, tuple) else out
        finally:
            inner.calls += 1
    inner.calls = 0
    return inner
class Rt: pass
rt = Rt()
for name in ("malloc", "create_stream", "memset_async"): setattr(rt, name, checked(getattr(acl.rt, name)))
""",
        "rt.malloc(4096, 0)", "rt.create_stream()", "rt.memset_async(b, 4096, 0, 4096, {0})",
    ),
    "hidden": (
        """
def wild(*args):
    __tracebackhide__ = True
    acl.rt.get_device()
    out = args[0](*args[1:])
    return out[0] if isinstance(out, tuple) else out
""",
        "wild(acl.rt.malloc, 4096, 0)", "wild(acl.rt.create_stream)",
        "wild(acl.rt.memset_async, b, 4096, 0, 4096, {0})",
    ),
}  # fmt: skip


def run(name: str, text: str) -> list[Finding]:
    file = f"/virtual/{name}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    acl = modules()["acl"]
    with Simulator(checks="races") as sim:
        exec(compile(text, file, "exec"), {"acl": acl, "init": acl.init, "set_device": acl.rt.set_device})
        acl.rt.synchronize_device()
    return [finding for finding in sim.findings if finding.kind == "race"]


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_report_shows_and_names_what_calls_the_wrapper(name: str) -> None:
    wrapper, malloc, stream, fill = WRAPPERS[name]
    program = MAIN.format(malloc=malloc, stream=stream, copy_a=fill.format("s"), copy_b=fill.format("t"))
    (race,) = run(name.replace(" ", "_"), wrapper + program)
    assert "`t` writes `b` while a memset on `s`" in race.title
    assert [site.frames[0].function for site in race.sites] == ["<module>"] * 3
    last = len((wrapper + program).splitlines())
    assert [site.frames[0].line for site in race.sites[:2]] == [last, last - 1]
    assert "acl.rt.stream_wait_event(t, ready)" in full(race)


def test_two_calls_of_one_wrapper_are_two_places() -> None:
    wrapper, malloc, stream, fill = WRAPPERS["call"]
    main = MAIN.format(malloc=malloc, stream=stream, copy_a=fill.format("s"), copy_b=fill.format("t"))
    more = "u = call(acl.rt.create_stream)\n" + fill.format("u") + "\n"
    assert len(run("places", wrapper + main + more)) == 2


WORKER = """
def two(stream, n):
    acl.rt.memset_async(b, n, 0, n, stream)
    acl.rt.memset_async(a, n, 0, n, stream)
class Layer:
    def step(self):
        acl.rt.memset_async(self.ptr, self.size, 0, self.size, self.stream)
def lone(stream):
    acl.rt.memset_async(b, 4096, 1, 4096, stream)
    acl.rt.synchronize_stream(stream)
"""


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("two({0}, 4096)", 3),
        ("layer = Layer(); layer.ptr, layer.size, layer.stream = b, 4096, {0}; layer.step()", 7),
        ("lone({0})", 9),
    ],
)
def test_a_function_that_does_something_itself_is_no_wrapper(call: str, line: int) -> None:
    main = MAIN.format(
        malloc="acl.rt.malloc(4096, 0)[0]", stream="acl.rt.create_stream()[0]",
        copy_a="acl.rt.memset_async(b, 4096, 0, 4096, s)", copy_b=call.format("t"),
    )  # fmt: skip
    race = run("plain", WORKER + main)[0]
    assert race.primary is not None
    assert race.primary.frames[0].line == line


def test_patterns_name_more_wrappers(monkeypatch: pytest.MonkeyPatch) -> None:
    main = MAIN.format(
        malloc="acl.rt.malloc(4096, 0)[0]", stream="acl.rt.create_stream()[0]",
        copy_a="acl.rt.memset_async(b, 4096, 0, 4096, s)", copy_b="two(t, 4096)",
    )  # fmt: skip
    places = []
    for pattern in ("", "two", "*/patterns.py:two", "other*"):
        monkeypatch.setenv(SKIP_FRAMES, pattern)
        race = run("patterns", WORKER + main)[0]
        assert race.primary is not None
        places.append(race.primary.frames[0].function)
    assert places == ["two", "<module>", "<module>", "two"]


def through_c(world: dict[str, Any]) -> Callable[..., Any]:
    return ascendcl.aclrtMemsetAsync


def through_pyacl(world: dict[str, Any]) -> Callable[..., Any]:
    found: Callable[..., Any] = modules()["acl"].rt.memset_async
    return found


@pytest.mark.parametrize(
    ("face", "words"), [(through_c, "aclrtRecordEvent(ready, s)"), (through_pyacl, "acl.rt.record_event(ready, s)")]
)
def test_the_words_are_those_of_the_face_that_was_called(face: Callable[..., Any], words: str) -> None:
    text = "def go(f, *args):\n    return f(*args)\ngo(fill, b, 4096, 0, 4096, s)\ngo(fill, b, 4096, 0, 4096, t)\n"
    file = f"/virtual/face_{face.__name__}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    with Simulator(checks="races") as sim:
        ascendcl.aclInit(None)
        ascendcl.aclrtSetDevice(0)
        b = ascendcl.aclrtMalloc(4096, 0)[0]
        s, _ = ascendcl.aclrtCreateStream()
        t, _ = ascendcl.aclrtCreateStream()
        exec(compile(text, file, "exec"), {"fill": face({}), "b": b, "s": s, "t": t})
        ascendcl.aclrtSynchronizeDevice()
        (race,) = [finding for finding in sim.findings if finding.kind == "race"]
    assert words in race.fix


FREED_EARLY = {
    "an object that is called": """
class Runtime:
    def __call__(self, name, *given):
        return self.check(getattr(acl.rt, name)(*given))
    def check(self, out):
        code = out[-1] if isinstance(out, tuple) else out
        if code: raise RuntimeError(code)
        return out[0] if isinstance(out, tuple) else None
call = Runtime()
buffer, work = call("malloc", 4096, 0), call("create_stream")
call("memset_async", buffer, 4096, 1, 4096, work)
call("free", buffer)
call("synchronize_stream", work)
""",
    "a proxy": """
class Proxy:
    def __getattr__(self, name):
        def call(*a, **k):
            r = getattr(acl.rt, name)(*a, **k)
            return r[0] if isinstance(r, tuple) else r
        return call
rt = Proxy()
buffer, work = rt.malloc(4096, 0), rt.create_stream()
rt.memset_async(buffer, 4096, 1, 4096, work)
rt.free(buffer)
rt.synchronize_stream(work)
""",
    "a decorator": """
import functools
def checked(function):
    @functools.wraps(function)
    def inner(*a):
        for _ in range(3):
            r = function(*a)
            if (r[-1] if isinstance(r, tuple) else r) == 0: return r[0] if isinstance(r, tuple) else r
    return inner
malloc, free, wait = checked(acl.rt.malloc), checked(acl.rt.free), checked(acl.rt.synchronize_stream)
buffer, work = malloc(4096, 0), checked(acl.rt.create_stream)()
acl.rt.memset_async(buffer, 4096, 1, 4096, work)
free(buffer)
wait(work)
""",
}


@pytest.mark.parametrize("name", FREED_EARLY)
def test_a_help_line_has_no_name_of_the_wrapper(name: str) -> None:
    """The wrapper's `a[0]` is another object in each of its calls, and unknown where the advice is to be typed."""
    (found,) = [f for f in findings_of(f"early_{name.replace(' ', '_')}", FREED_EARLY[name]) if f.severity == "error"]
    assert found.kind == "use-after-free" and found.title.startswith("`buffer` was freed")
    assert found.fix.endswith("acl.rt.synchronize_stream(work)")
