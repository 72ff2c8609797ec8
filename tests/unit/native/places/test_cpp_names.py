"""Lines of C and C++ and the names that reports take from them."""

from __future__ import annotations

import pytest

from ascend_sim.native.places.cpp_names import Place, argument, calls, marked, variable


def _named(source: str, *functions: str) -> str | None:
    """The name of what the line marked ``@0`` makes; ``@1`` and so on are its callers, *functions* their names."""
    lines = source.splitlines()
    found = {mark: i for i, line in enumerate(lines, 1) for mark in range(4) if f"@{mark}" in line}
    places = [Place("a.cpp", found[i], function) for i, function in enumerate(functions)]
    return variable(places, lambda file, line: lines[line - 1] + "\n" if 0 < line <= len(lines) else "")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("aclrtMalloc(&buf, 64, 0);", "buf"),
        ("aclrtMalloc((void **)&buf, 64, 0);", "buf"),
        ("aclrtMalloc((void**)(&buf), 64, 0);", "buf"),
        ("aclrtMalloc(reinterpret_cast<void **>(&d.x), 64, 0);", "d.x"),
        ("aclrtMalloc(static_cast<void **>(&d->x), 64, 0);", "d->x"),
        ("aclrtMalloc(std::addressof(x), 64, 0);", "x"),
        ("CHECK(aclrtCreateStream(&d.a));", "d.a"),
        ("CHECK(aclrtCreateStream(&this->stream_));", "stream_"),
        ("CHECK(aclrtCreateStream(&ctx->streams[i]));", "ctx->streams[i]"),
        ("if (aclrtCreateStream(&streams[i + 1]) != 0) {", "streams[i + 1]"),
        ("aclrtCreateStream(&streams.at(i));", "streams.at(i)"),
        ("aclrtCreateStream(&(*d).a);", "d->a"),
        ("aclrtCreateStream(&pool::stream);", "pool::stream"),
        ("aclrtCreateEvent(events + i);", "events[i]"),
        ("aclrtCreateEvent(events.data() + i);", "events[i]"),
        ("aclTensor *t = aclCreateTensor(dims, 2, ACL_FLOAT, s, 0, ACL_FORMAT_ND, dims, 2, x);", None),
        ("aclDataBuffer *held = aclCreateDataBuffer(x, 8);", "held"),
        ("d.buffers[i] = aclCreateDataBuffer(x, 8);", "d.buffers[i]"),
        ("auto desc = (aclTensorDesc *)aclCreateTensorDesc(ACL_FLOAT, 1, s, ACL_FORMAT_ND);", "desc"),
        ("return aclCreateDataBuffer(x, 8);", None),
        ("aclrtMalloc(&f(x), 64, 0);", None),
        ("aclrtMalloc(out, 64, 0);", None),
        ("aclrtSetDevice(0);", None),
        ("int code = 0;", None),
        ('LOG("aclrt(", aclrtMalloc(&late, 64, 0));', "late"),
    ],
)
def test_what_a_line_stores(line: str, name: str | None) -> None:
    assert _named(f"{line} // @0", "main") == name


CLASS = """
struct Device {
    aclrtStream a;
    Device()
    {
        CHECK(aclrtCreateStream(&a)); // @0
    }
    void init() { aclrtCreateStream(&a); }
};
"""


@pytest.mark.parametrize(
    ("caller", "name"),
    [
        ("Device d; // @1", "d.a"),
        ("Device d(0, 1); // @1", "d.a"),
        ("Device<int> d{}; // @1", "d.a"),
        ("auto *d = new Device(); // @1", "d->a"),
        ("ctx.d = std::make_unique<Device>(); // @1", "ctx.d->a"),
        ("devices.emplace_back(); // @1", "a"),
    ],
)
def test_a_member_that_a_constructor_makes(caller: str, name: str) -> None:
    assert _named(CLASS + caller, "Device::Device", "main") == name


@pytest.mark.parametrize(
    ("source", "functions", "name"),
    [
        ("void D::init(int n)\n{\n  aclrtCreateStream(&a); // @0\n}\nd->init(3); // @1", ("ns::D::init", "main"), "d->a"),
        ("void D::init()\n{\n  aclrtStream a;\n  aclrtCreateStream(&a); // @0\n}\nd.init(); // @1",
         ("D::init", "main"), "a"),
        ("void D::one() {\n  aclrtCreateStream(&a); // @0\n}\nvoid D::all() {\n  one(); // @1\n}\nd[2].all(); // @2",
         ("D::one", "D::all", "main"), "d[2].a"),
        ("void make(aclrtStream *out)\n{\n  aclrtCreateStream(out); // @0\n}\nmake(&d.a); // @1", ("make", "main"), "d.a"),
        ("void make(aclrtStream *out)\n{\n  aclrtCreateStream(out); // @0\n}\nmake(given); // @1", ("make", "main"), None),
        ("void make(aclrtStream &s)\n{\n  aclrtCreateStream(&s); // @0\n}\nmake(v[i]); // @1", ("make", "main"), "v[i]"),
        ("void make(int n, D *d) {\n  aclrtCreateStream(&d->a); // @0\n}\nmake(2, &mine); // @1",
         ("make", "main"), "mine.a"),
        ("void make(int n, D *d) {\n  aclrtCreateStream(&d->a); // @0\n}\nmake(2, p); // @1", ("make", "main"), "p->a"),
        ("void make(D &d) {\n  aclrtCreateStream(&d.a); // @0\n}\nmake(mine); // @1", ("make", "main"), "mine.a"),
        ("aclrtStream make() {\n  aclrtStream s;\n  aclrtCreateStream(&s); // @0\n  return s;\n}\nauto copy = make(); // @1",
         ("make", "main"), "copy"),
        ("void work() {\n  aclrtStream s;\n  aclrtCreateStream(&s); // @0\n}\nwork(); // @1", ("work", "main"), "s"),
        ("static aclrtStream s;\nvoid work() {\n  aclrtCreateStream(&s); // @0\n}\nwork(); // @1", ("work", "main"), "s"),
    ],
)  # fmt: skip
def test_what_the_caller_calls_it(source: str, functions: tuple[str, ...], name: str | None) -> None:
    assert _named(source, *functions) == name


def test_several_calls_in_a_line_are_told_by_their_function() -> None:
    line = "CHECK(aclrtCreateStream(&s)); CHECK(aclrtMalloc(&p, 4, 0)); aclrtMemsetAsync(p, 4, 0, 4, d.s);"
    place, line_of = Place("a.cpp", 1, "main"), lambda file, number: line if number == 1 else ""
    assert [variable([place], line_of, name) for name in ("aclrtCreateStream", "aclrtMalloc", "")] == ["s", "p", None]
    assert argument([place], line_of, "stream", "aclrtMemsetAsync") == "d.s"
    assert argument([place], line_of, "maxCount", "aclrtMemsetAsync") is None
    twice = "aclrtFree(a); aclrtFree(b);"
    assert [marked(line, "aclrtMalloc"), marked(line), marked(twice, "aclrtFree")] == [(36, 47), None, None]


TWO = "B first(1), *made = new B(2); one.make(&a); two.make(&b);  CHECK(make(&c)); fill<int>(x, 1); ns::fill<int>(y, 1);"


@pytest.mark.parametrize(
    ("source", "function", "at", "name"),
    [
        ("void B::make(void **p) {\n aclrtMalloc(p, 1, 0); // @0\n}\n", "B::make", "one.make", "a"),
        ("void B::make(void **p) {\n aclrtMalloc(p, 1, 0); // @0\n}\n", "B::make", "", None),
        ("void B::make(void **p) {\n aclrtMalloc(p, 1, 0); // @0\n}\n", "B::make", "make(&a", "a"),
        ("void B::make(void **p) {\n aclrtMalloc(p, 1, 0); // @0\n}\n", "B::make", "(&b", "b"),
        ("void B::make(void **p) {\n aclrtMalloc(p, 1, 0); // @0\n}\n", "B::make", "CHECK", "c"),
        ("void B::make(void **) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "B::make", "(&b", "two.p"),
        ("void B::make(void **) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "B::make", "", "p"),
        ("B::B(int) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "B::B", "first", "first.p"),
        ("B::B(int) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "B::B", "new", "made->p"),
        ("B::B(int) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "B::B", "", "p"),
        ("void fill(void *&p, int) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "fill<int>", "fill<int>(x", "x"),
        ("void fill(void *&p, int) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "ns::fill<int>", "ns::fill", "y"),
        ("void fill(void *&p, int) {\n aclrtMalloc(&p, 1, 0); // @0\n}\n", "fill<int>", "", "p"),
    ],
)
def test_the_column_tells_which_call_of_a_line_it_was(source: str, function: str, at: str, name: str | None) -> None:
    lines = [*source.splitlines(), f"    {TWO}"]
    inner = next(i for i, line in enumerate(lines, 1) if "@0" in line)
    column = lines[-1].index(at) if at else None
    places = [Place("a.cpp", inner, function), Place("a.cpp", len(lines), "main", lambda: column)]
    assert variable(places, lambda file, line: lines[line - 1] + "\n" if 0 < line <= len(lines) else "") == name


def test_a_call_over_several_lines() -> None:
    lines = ["aclrtMemcpyAsync(d.y, N, // there", "    f(d.x, 1), N, KIND,", "    this->stream);"]
    place, line_of = Place("a.cpp", 1, "main"), lambda file, number: dict(enumerate(lines, 1)).get(number, "")
    assert argument([place], line_of, "stream") == "stream"
    assert argument([place], line_of, "src") is None
    assert calls("aclrtFree(x") == []
