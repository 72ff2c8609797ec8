"""Kernel sources: what stays, what goes, what a launch becomes, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_sim import cli
from ascend_sim.native.kernels.build import launch_header
from ascend_sim.native.kernels.cpp_text import MOST_BYTES, Refused
from ascend_sim.native.kernels.skeletons import skeleton
from ascend_sim.native.kernels.sources import Rewriter

KERNEL = "__global__ __aicore__ void k(GM_ADDR x, uint32_t n) { }\n"


def _rewritten(tmp_path: Path, text: str, **headers: str) -> tuple[str, Rewriter]:
    for name, header in headers.items():
        (tmp_path / f"{name}.h").write_text(header)
    path = tmp_path / "k.cpp"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    rewriter = Rewriter()
    return rewriter.rewritten(str(path)).split("\n", 2)[2], rewriter


@pytest.mark.parametrize(
    "text",
    [
        "int f() { return 1; }\n", "struct A { int a; } a;\nint g();\n", 'const char *t = "<<<"; // <<< {\n',
        'auto t = R"x( } ) <<< )x";\n', "int a = 1'000, c = '\\'', d = '{';\n", "#define M(x) { x <<<\nint a;\n",
        "#if A /* a\n } */\nint a;\n#else\nint b;\n#endif\n", "namespace a::b { int f() { return 0; } }\n",
        "struct S { S() : a(1), b{2} {} int a, b; };\nS::S(int) : a(1), b{2} { }\nint after;\n",
        "template <typename T, int N = 4> struct V { T x[N]; };\n", "auto l = [](int a) { return a; };\nint b;\n",
        "enum class E : int { A, B };\n", "/* __global__ AscendC */ int a;\n",
        "std::ostream &operator<<(std::ostream &o, A a);\n",
    ],
)  # fmt: skip
def test_host_code_stays_as_it_is(text: str, tmp_path: Path) -> None:
    assert _rewritten(tmp_path, text)[0] == text


@pytest.mark.parametrize(
    "text",
    [
        "using namespace AscendC;\n", "using namespace matmul;\n",
        "class A {\npublic:\n  __aicore__ inline void f() {}\n};\n",
        "__aicore__ inline int f()\n{\n  return 1;\n}\n", "constexpr int N = AscendC::TOTAL;\n",
        "template <typename T> class A { TPipe pipe; };\n", "static void f(__gm__ uint8_t *a) { }\n",
        '#include "lib/matmul_intf.h"\n', "__aicore__ inline void f(AscendC::LocalTensor<half> x);\n",
    ],
)  # fmt: skip
def test_device_code_goes_and_lines_stay(text: str, tmp_path: Path) -> None:
    new, _ = _rewritten(tmp_path, f"int a;\n{text}int b;\n")
    assert new.split() == ["int", "a;", "int", "b;"]
    assert new.count("\n") == text.count("\n") + 2


def test_conditions_inside_device_code_stay(tmp_path: Path) -> None:
    text = "__aicore__ void f()\n{\n#ifdef A\n  g();\n#endif\n}\nint a;\n"
    assert _rewritten(tmp_path, text)[0] == "\n\n#ifdef A\n\n#endif\n\nint a;\n"


@pytest.mark.parametrize(
    ("launch", "name", "blocks", "stream"),
    [
        ("k<<<8, nullptr, s>>>(x, 1)", "k", "8, nullptr", "s"), ("k<<<f(1, 2)>>>(x, 1)", "k", "f(1, 2)", "nullptr"),
        ("k <<< a > 1 ? 2 : 3, 0 >>> (x, 1)", "k", "a > 1 ? 2 : 3, 0", "nullptr"),
        ("k<<<8, nullptr,\n    s>>>(\n x, 1)", "k", "8, nullptr", "s"),
    ],
)  # fmt: skip
def test_a_launch_is_a_call_where_it_stands(launch: str, name: str, blocks: str, stream: str, tmp_path: Path) -> None:
    new, _ = _rewritten(tmp_path, f"{KERNEL}void f() {{\n  {launch};\n}}\n")
    _, body = new.split("{\n", 1)
    assert f'ascend_sim_launch("{name}", "{tmp_path}/k.cpp", ::ascend_sim::blocks({blocks})' in body
    assert f"::ascend_sim::stream({stream})" in body
    assert body.count("\n") == launch.count("\n") + 2 - launch.count(",\n")  # a line between two values is theirs
    assert "struct ascend_sim_k { uint8_t * x; uint32_t n; " in new


def test_templates_and_namespaces(tmp_path: Path) -> None:
    text = (
        "namespace a {\ntemplate <typename T, int N> __global__ void k(__gm__ T *x, std::pair<int, T> y = {1, 2}) { }\n}\n"
        "void f() { a::k<float, 2><<<1>>>(x, y); }\n"
    )
    new, rewriter = _rewritten(tmp_path, text)
    assert 'ascend_sim_launch("k<float,2>"' in new and "a::ascend_sim_k<float, 2>(x, y)" in new
    assert "template <typename T, int N> struct ascend_sim_k { T * x; std::pair<int,T> y;" in new
    (kernel,) = rewriter.kernels.values()
    assert (kernel.scoped, [p.name for p in kernel.parameters]) == (True, ["x", "y"])


def test_headers_with_kernels_are_put_in_place_once(tmp_path: Path) -> None:
    text = '#include "kern.h"\n#include "plain.h"\n#include "kern.h"\nvoid f() { k<<<1>>>(x, 1); }\n'
    new, rewriter = _rewritten(tmp_path, text, kern=f'#pragma once\n#include "kern.h"\n{KERNEL}', plain="int a;\n")
    assert [Path(path).name for path in rewriter.files] == ["k.cpp", "kern.h"]
    assert '#include "plain.h"' in new and 'kern.h"\n' in new and new.count("struct ascend_sim_k {") == 1
    assert f'#line 2 "{tmp_path}/k.cpp"' in new


def test_a_declaration_and_its_definition_are_one_kernel(tmp_path: Path) -> None:
    new, _ = _rewritten(tmp_path, f'extern "C" {KERNEL.replace("{ }", ";")}{KERNEL}')
    assert new.count("struct ascend_sim_k {") == 1


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("int a;\n/* open", 2, "comment"), ('char *t = "open;\n', 1, "string"), ("int a = 'x;\n", 1, "character"),
        ('auto t = R"x( )y";', 1, "raw string"), ("void f() {\n (1; }\n", 2, "does not close"),
        ("void f() {\n", 1, "closed"),
        ("}\n", 1, "closes nothing"), ("int a;\0", 1, "NUL"), ("namespace a {\n", 2, "never closed"),
        ("void f() {\n k<<<1>>>(); }\n", 2, "not declared"), (f"{KERNEL}void f() {{ k<<<1, 2; }}", 2, "without >>>"),
        (f"{KERNEL}void f() {{ k<<<>>>(x, 1); }}", 2, "1 to 3"),
        (f"{KERNEL}void f() {{ k<<<1, 2, 3, 4>>>(); }}", 2, "here 4"),
        (f"{KERNEL}void f() {{ k<<<1>>>; }}", 2, "no arguments"), (f"{KERNEL}void f() {{ (k)<<<1>>>(); }}", 2, "no name"),
        (f"{KERNEL}void f() {{ k<<<1>>>(k<<<1>>>(x, 1), 1); }}", 2, "inside"), ("__global__ void k(int &a);\n", 1, "'&'"),
        ("__global__ void k(int a[3]);\n", 1, "'['"), ("__global__ void k(int (*f)());\n", 1, "'('"),
        ("__global__ void k(int a, int a);\n", 1, "two parameters"), ("__global__ int a;\n", 1, "no name and parameters"),
        (f"{KERNEL}__global__ void k(int a);\n", 2, "overloads"), ("#define A /* open\n", 1, "comment"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_refused_with_its_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        _rewritten(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path}/k.cpp:{line}: ") and why in str(refused.value)


@pytest.mark.parametrize(
    "text", ["/*" * 20_000, "(" * 20_000, "#" + "/*" * 20_000, "<" * 20_001, "k<<<" * 5_000, "a<" * 9_999]
)
def test_hostile_text_ends_soon(text: str, tmp_path: Path) -> None:
    try:
        _rewritten(tmp_path, text)
    except Refused as refused:
        assert "k.cpp:1: " in str(refused)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="too large"):
        _rewritten(tmp_path, " " * (MOST_BYTES + 1))


def test_bytes_that_are_no_utf8_stay(tmp_path: Path) -> None:
    text = b"// \xff\xfe\nint a;\n".decode("utf-8", "surrogateescape")
    assert _rewritten(tmp_path, text)[0] == text


def test_what_is_for_kernels_on_the_processor_is_left_out(tmp_path: Path) -> None:
    text = (
        "#ifndef __CCE_KT_TEST__\nvoid launch();\n#else\n#include \"tikicpulib.h\"\n#endif\n"
        "int main()\n{\n#if defined(__CCE_KT_TEST__)\n#ifdef OTHER\n    AscendC::GmAlloc(1);\n#endif\n"
        "#else\n    launch();\n#endif\n#ifdef OTHER\n    launch();\n#endif\n}\n"
    )
    host = text.replace('#include "tikicpulib.h"', "").replace("    AscendC::GmAlloc(1);", "")
    assert _rewritten(tmp_path, text)[0] == host


def test_the_skeleton_is_a_kernel_file(tmp_path: Path) -> None:
    text = (
        "__global__ void add(__gm__ const float *x, GM_ADDR y, int32_t lambda, Tiling tiling);\n"
        "template <typename T> __global__ void scale(__gm__ T *b, T alpha);\n__global__ void empty();\n"
    )
    _, rewriter = _rewritten(tmp_path, text)
    made = skeleton(list(rewriter.kernels.values()), "k.cpp").replace(": Tiling", ": np.int32")
    names: dict[str, object] = {}
    exec(compile(made, "k.py", "exec"), names)
    shown = [repr(names[name]) for name in ("add", "scale", "empty")]
    assert shown == ["<kernel add (x, y, lambda_, tiling)>", "<kernel scale (b, alpha)>", "<kernel empty ()>"]
    assert "x: gm.In[np.float32], y: gm.InOut[np.uint8]" in made and "class Tiling(Struct)" in made


def test_the_header_of_a_kernel_takes_host_pointers(tmp_path: Path) -> None:
    _, rewriter = _rewritten(tmp_path, KERNEL)
    header = launch_header(rewriter.kernels["k"])
    assert "{ void * x; uint32_t n; " in header and "#define aclrtlaunch_k(blocks_, stream_, ...)" in header


def test_launches_of_kernels_that_print_wait(tmp_path: Path) -> None:
    tool = 'class A { __aicore__ void f() { AscendC::printf("a"); } };\n'
    silent = "__global__ __aicore__ void s(int n) { }\n"
    loud = '__global__ __aicore__ void p(int n) { PRINTF("%d", n); }\n'
    behind = "__global__ __aicore__ void q(int n) { A a; a.f(); }\n"
    launches = 'void f() { s<<<1>>>(1); p<<<1>>>(1); q<<<1>>>(1); printf("host"); }\n'
    new, rewriter = _rewritten(tmp_path, silent + loud + tool + behind + launches)
    assert rewriter.printing == {"p", "q"}
    assert all(f"sizeof(ascend_sim_{name}), {waits})" in new for name, waits in (("s", 0), ("p", 1), ("q", 1)))


def test_a_skeleton_of_a_source_in_another_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "k.cpp"
    source.write_bytes(b"__global__ void add(__gm__ int *x /* gr\xf6\xdfe */, Gr\xf6sse n);\n")
    assert cli.main(["stub", "--from", str(source)]) == 0
    compile((tmp_path / "k.py").read_bytes(), "k.py", "exec")
