"""CTX and INIT: contexts and threads, initialising and finalising."""

from typing import Any

from ascend_sim import ascendcl as C


def test_ctx_01_a_new_worker_thread_has_no_current_context(bare: Any) -> None:
    bare.must(C.aclInit(None))
    bare.must(C.aclrtSetDevice(0))

    def worker() -> dict[str, int]:
        out = {"dev": C.aclrtGetDevice()[1], "mem": C.aclrtMalloc(64, 0)[1], "ctx": C.aclrtGetCurrentContext()[1]}
        out["text"] = C.aclGetRecentErrMsg()
        bare.must(C.aclrtSetDevice(0))
        out["ok"] = C.aclrtMalloc(64, 0)[1]
        return out

    out = bare.in_thread(worker)
    assert (out["dev"], out["mem"], out["ctx"], out["ok"]) == (107002, 107002, 107002, 0)
    assert "no current context" in out["text"] and "T0 (main) has device 0" in out["text"]
    bare.silent()


def test_ctx_04_the_default_context_is_shared_an_explicit_one_is_not(w: Any) -> None:
    s, p = w.stream(), w.malloc()

    def other() -> list[int]:
        w.must(C.aclrtSetDevice(0))
        codes = [C.aclrtSynchronizeStream(s)]
        c = w.must(C.aclrtCreateContext(0))
        codes.append(C.aclrtMemsetAsync(p, 64, 0, 64, s))
        s2 = w.stream()
        codes.append(C.aclrtMemsetAsync(p, 64, 0, 64, s2))
        w.must(C.aclrtDestroyStream(s2))
        w.must(C.aclrtDestroyContext(c))
        return codes

    assert w.in_thread(other) == [0, 107003, 0]
    w.silent()


def test_ctx_05_the_primary_context_cannot_be_destroyed(w: Any) -> None:
    d = w.must(C.aclrtGetCurrentContext())
    assert C.aclrtDestroyContext(d) == 107002
    c = w.must(C.aclrtCreateContext(0))
    w.must(C.aclrtDestroyContext(c))
    assert C.aclrtSetCurrentContext(c) == 107000
    assert C.aclrtDestroyContext(c) != 0
    assert C.aclrtMalloc(64, 0)[1] == 107002
    w.must(C.aclrtSetCurrentContext(d))
    assert C.aclrtMalloc(64, 0)[1] == 0
    w.silent()


def test_ctx_06_memory_is_lost_when_its_device_is_reset_by_force(w: Any) -> None:
    p = w.malloc(4096)  # <made>
    s = w.stream()
    w.must(C.aclrtResetDeviceForce(0))  # <reset>
    assert C.aclrtFree(p) == 507899  # <late>
    assert C.aclrtDestroyStream(s) in (107017, 107002)
    w.must(C.aclrtSetDevice(0))
    q = w.malloc(4096)
    assert q != p
    assert C.aclrtFree(p) == 507899
    assert w.read(q, 32)
    first = w.findings("use-after-reset")[0]
    assert first.severity == "error" and "reset" in first.title
    assert {s.role for s in first.sites} == {"access", "free", "alloc"}


def test_ctx_06_in_the_right_order(w: Any) -> None:
    p, s = w.malloc(4096), w.stream()
    w.must(C.aclrtDestroyStream(s))
    w.must(C.aclrtFree(p))
    w.must(C.aclrtResetDeviceForce(0))
    w.silent()


def test_ctx_07_device_ids_outside_the_visible_range(bare: Any) -> None:
    n = bare.must(C.aclrtGetDeviceCount())
    assert C.aclrtSetDevice(n) == 107001
    assert C.aclrtSetDevice(-1) == 107001
    assert C.aclrtSetDevice(n - 1) == 0
    assert C.aclrtSetDevice(n) == 107001
    assert C.aclrtGetDevice() == (n - 1, 0)


def test_init_01_a_second_init_answers_100002_but_counts(bare: Any) -> None:
    assert [C.aclInit(None) for _ in range(3)] == [0, 100002, 100002]
    assert [C.aclFinalizeReference() for _ in range(4)] == [(2, 0), (1, 0), (0, 0), (0, 100037)]


def test_init_02_a_plain_finalize_ends_the_runtime_for_the_other_tenant(bare: Any) -> None:
    bare.must(C.aclInit(None))
    C.aclInit(None)
    bare.must(C.aclrtSetDevice(0))
    p = bare.malloc()
    assert C.aclFinalize() == 0  # <finalise>
    C.aclrtMemset(p, 64, 0, 64)  # <late>
    assert C.aclFinalize() == 100037
    bare.expect("use-after-finalize", "aclFinalizeReference", access="late", other="finalise")
    assert any("aclInit was called 2 times" in f.title for f in bare.findings("undefined-use"))
    assert "1 device buffer" in bare.findings("leak")[0].title


def test_init_02_counted(bare: Any) -> None:
    bare.must(C.aclInit(None))
    C.aclInit(None)
    bare.must(C.aclrtSetDevice(0))
    p = bare.malloc()
    assert C.aclFinalizeReference() == (1, 0)
    bare.must(C.aclrtMemset(p, 64, 0, 64))
    bare.must(C.aclrtFree(p))
    bare.must(C.aclrtResetDevice(0))
    assert C.aclFinalizeReference() == (0, 0)
    bare.silent()
    assert not bare.findings("leak")


def test_init_03_handles_that_outlive_the_runtime(bare: Any) -> None:
    bare.must(C.aclInit(None))
    bare.must(C.aclrtSetDevice(0))
    e = bare.must(C.aclrtCreateEvent())  # <made>
    bare.must(C.aclrtResetDeviceForce(0))
    bare.must(C.aclFinalize())
    assert C.aclrtDestroyEvent(e) != 0  # <late>
    bare.expect("use-after-finalize", access="late")
    bare.expect("leak", "1 event", alloc="made")
