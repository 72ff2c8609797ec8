"""The kinds of findings, each with its meaning in one line."""

from __future__ import annotations

__all__ = ["KINDS"]

KINDS: dict[str, str] = {
    "allocator-two-streams": "one allocator hands the same memory to two streams, and nothing orders them",
    "bad-free": "an address is freed that no allocation of this kind returned",
    "block-race": "two blocks of one kernel launch touch the same bytes, and nothing orders them",
    "crash": "a process of the run was ended by a signal",
    "dead-host-buffer": "a queued copy uses host memory whose owner is gone",
    "deadlock": "threads and streams wait for each other, and nobody can end it",
    "double-free": "an address was freed a second time",
    "fork-after-init": "the process forked after the runtime was initialised",
    "ignored-code": "a call failed and the program went on as if it had not",
    "callback-call": "a callback calls what the manual forbids in callbacks",
    "free-before-alloc": "a block of a pool may be given back before its stream has come to the allocation",
    "gil-deadlock": "a call keeps the interpreter's lock while it waits for a Python callback",
    "limit-close": "a limit of the device is nearly reached",
    "self-wait": "a stream waits for an event that was recorded on itself",
    "unbalanced": "a subscription or registration was undone too often, or never",
    "unrecorded-wait": "a wait for an event that was never recorded: the call does nothing",
    "use-after-finalize": "the runtime is used after aclFinalize",
    "use-after-reset": "an object is used after its device was reset",
    "hidden-error": "the real library swallows a failure, or answers another code than the cause's",
    "injected-fault": "something failed because a plan said so (--inject)",
    "kernel-args": "the arguments of a launch do not fit the parameters of the kernel",
    "kernel-exception": "the Python code of a kernel raised",
    "kernel-usage": "a kernel breaks a rule of the kernel interface",
    "leak": "objects are still alive when the process finalises",
    "misaligned": "an address or size is not a multiple of what the access needs",
    "not-modelled": "a function was called that the simulator does not model: it returns 207000",
    "order-depends-on-clock": "the order of threads was left to the operating system: runs may differ",
    "order-history": "a buffer is accessed in so many pieces that a part of its history was forgotten",
    "out-of-bounds": "an access reaches beyond its allocation",
    "peer-access": "a device uses the memory of another without having been given access to it",
    "race": "two accesses to the same bytes, at least one a write, and nothing orders them",
    "stale-registration": "an object was destroyed while something was still registered for it",
    "stuck-thread": "a thread neither called the runtime again nor ended",
    "sync-race": "two unordered calls decide who is released, or what a later call refers to",
    "task-fault": "a task on the device ended with an error",
    "unawaited-work": "tasks were still queued at the end: nobody waited for them",
    "undefined-use": "a use that the manual forbids and the real library does not check",
    "uninitialised-read": "bytes are read that nothing has written",
    "use-before-alloc": "a block of a pool is used, and nothing makes that wait for its allocation",
    "use-after-free": "memory was freed while something queued still needs it",
}
"""Every kind of finding with its meaning in one line; ``ascend-sim explain KIND`` says more."""
