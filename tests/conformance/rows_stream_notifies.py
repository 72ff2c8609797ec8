"""Chapter 08: notifies (docs/semantics/events.md#notifies)."""

from __future__ import annotations

from ascend_sim.ascendcl import structs
from tests.conformance.registry import row
from tests.conformance.world import MS, STALE, World


@row("stream-0345")
def bad_flag(w: World) -> None:
    for flag in (2, 3, 2**64 - 1):
        w.expect("aclrtCreateNotify", flag)
    for flag in (0, 1):
        w.ok("aclrtCreateNotify", flag)


@row("stream-0346", bare=True)
def no_context(w: World) -> None:
    w.expect("aclrtCreateNotify", 0)


@row("stream-0347", limits={"notifies": 3})
def ids_exhausted(w: World) -> None:
    made = [w.ok("aclrtCreateNotify", 0) for _ in range(3)]
    w.expect("aclrtCreateNotify", 0)
    w.ok("aclrtDestroyNotify", made[1])
    w.ok("aclrtCreateNotify", 0)


@row("stream-0348")
def destroy_twice(w: World) -> None:
    notify = w.ok("aclrtCreateNotify", 0)
    w.ok("aclrtDestroyNotify", notify)
    w.expect("aclrtDestroyNotify", notify)


@row("stream-0349")
def foreign_stream(w: World) -> None:
    notify, foreign = w.ok("aclrtCreateNotify", 0), w.foreign_stream()
    w.expect("aclrtRecordNotify", notify, foreign)
    w.expect("aclrtWaitAndResetNotify", notify, foreign, 1)


@row("stream-0350")
def timeouts(w: World) -> None:
    notify, limited, endless = w.ok("aclrtCreateNotify", 0), w.stream(), w.stream()
    w.expect("aclrtWaitAndResetNotify", notify, limited, 2)
    w.expect("aclrtWaitAndResetNotify", notify, endless, 2**32 - 1)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", limited, 1900)
    w.refuse(107020, "aclrtSynchronizeStreamWithTimeout", limited, 1900)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", endless, 100_000)
    w.ok("aclrtRecordNotify", notify, limited)
    w.ok("aclrtSynchronizeStream", endless)


@row("stream-0351")
def wait_consumes(w: World) -> None:
    notify, waiting, other, ran = w.ok("aclrtCreateNotify", 0), w.stream(), w.stream(), []
    w.expect("aclrtWaitAndResetNotify", notify, waiting, 0)
    w.work(waiting, MS, ran)
    w.expect("aclrtWaitAndResetNotify", notify, waiting, 0)
    w.work(waiting, MS, ran)
    for count in (1, 2):
        w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", waiting, 20)
        w.same(len(ran), count - 1, "tasks behind the waits")
        w.ok("aclrtRecordNotify", notify, other)
    w.ok("aclrtSynchronizeStream", waiting)
    w.same(len(ran), 2, "tasks behind the waits")


@row("stream-0352")
def batch_of_none(w: World) -> None:
    w.refuse(107000, "aclrtNotifyBatchReset", [w.ok("aclrtCreateNotify", 0)], 0)
    if w.face.name == "pyacl":  # the list says how many there are
        w.refuse(107000, "aclrtNotifyBatchReset", [], 0)


@row("stream-0353")
def batch_stops_at_the_first_failure(w: World) -> None:
    made = [w.ok("aclrtCreateNotify", 0) for _ in range(3)]
    stream = w.stream()
    for notify in made:
        w.ok("aclrtRecordNotify", notify, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.refuse(107017, "aclrtNotifyBatchReset", [made[0], STALE, made[2]], 3)
    w.ok("aclrtWaitAndResetNotify", made[2], stream, 0)  # was not reset
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtNotifyBatchReset", made, 3)


@row("stream-0354", faces="c")
def bad_export(w: World) -> None:
    notify, key = w.ok("aclrtCreateNotify", 0), w.host(128)
    w.expect("aclrtNotifyGetExportKey", notify, key, 0, 0)
    for flags in (1, 3, 4):
        w.expect("aclrtNotifyGetExportKey", notify, key, 65, flags)


@row("stream-0356")
def counting_flag(w: World) -> None:
    for flag in (1, 2, 2**64 - 1):
        w.expect("aclrtCntNotifyCreate", flag)


@row("stream-0357", soc=("Ascend910B3", "Ascend910_9382", "Ascend310P3"))
def counting_on_older_chips(w: World) -> None:
    w.expect("aclrtCntNotifyCreate", 0)
    w.same(len(list(w.sim.findings)), 0, "findings: the chip says no, not the simulator")


@row("stream-0359")
def counting_null(w: World) -> None:
    info, stream = structs.aclrtCntNotifyRecordInfo(), w.stream()
    w.expect("aclrtCntNotifyDestroy", 0)
    w.expect("aclrtCntNotifyReset", 0, stream)
    w.expect("aclrtCntNotifyGetId", 0)
    w.expect("aclrtCntNotifyRecord", 0, stream, info)
    w.expect("aclrtCntNotifyWaitWithTimeout", 0, stream, structs.aclrtCntNotifyWaitInfo())


@row("stream-0360", soc=("Ascend950PR_9599",))
def counting_record_mode(w: World) -> None:
    notify, stream = w.ok("aclrtCntNotifyCreate", 0), w.stream()
    for mode in (3, 5, 99, -1):
        w.expect("aclrtCntNotifyRecord", notify, stream, structs.aclrtCntNotifyRecordInfo(mode, 1))
    for mode in (0, 1, 2, 4):
        w.ok("aclrtCntNotifyRecord", notify, stream, structs.aclrtCntNotifyRecordInfo(mode, 1))
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0361", soc=("Ascend950PR_9599",))
def counting_wait_mode(w: World) -> None:
    notify, stream = w.ok("aclrtCntNotifyCreate", 0), w.stream()
    for mode in (5, 99, -1):
        w.expect("aclrtCntNotifyWaitWithTimeout", notify, stream, structs.aclrtCntNotifyWaitInfo(mode, 1))
    w.ok("aclrtCntNotifyWaitWithTimeout", notify, stream, structs.aclrtCntNotifyWaitInfo(0, 1))
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0362", soc=("Ascend950PR_9599",))
def counting_stream_of_another_context(w: World) -> None:
    notify, stream, first = w.ok("aclrtCntNotifyCreate", 0), w.stream(), w.ok("aclrtGetCurrentContext")
    other = w.ok("aclrtCreateContext", 0)
    w.expect("aclrtCntNotifyRecord", notify, stream, structs.aclrtCntNotifyRecordInfo(0, 1))
    w.expect("aclrtCntNotifyWaitWithTimeout", notify, stream, structs.aclrtCntNotifyWaitInfo(1, 1))
    w.ok("aclrtSetCurrentContext", first)
    w.ok("aclrtDestroyContext", other)


@row("stream-0355")
def bad_import(w: World) -> None:
    for flags in (4, 5, 2**64 - 1):
        w.expect("aclrtNotifyImportByKey", "key", flags)
