"""What the lessons ask their readers to try: what to change in which lesson, and what is printed then.

Each names the text to replace, which has to be in the lesson once. *prints* are regular expressions, matched against
the whole output by lines; the reports' folded titles are unfolded before.
"""

from __future__ import annotations

from typing import NamedTuple


class Try(NamedTuple):
    """One change of lesson number *lesson*."""

    lesson: int
    what: str
    edits: tuple[tuple[str, str], ...]
    prints: tuple[str, ...]


_COPY_TO_HOST = "must(acl.rt.memcpy_async(host, 8, big, 8, DEVICE_TO_HOST, DEFAULT))\n"
_RECORD_AND_WAIT = """\
must(acl.rt.record_event(event, producer))
must(acl.rt.stream_wait_event(consumer, event))  # for the record one line up
"""
_ONLY_WAIT = "print('wait:', acl.rt.stream_wait_event(consumer, event))\n"

TRIES = (
    Try(
        1, "set a device in the thread",
        ((
            "    ret = acl.rt.malloc(64, 0)[1]\n",
            "    must(acl.rt.set_device(0))\n    print(acl.rt.get_context()[0] == primary)\n"
            "    pointer, ret = acl.rt.malloc(64, 0)\n    must(acl.rt.free(pointer))\n",
        ),),
        ("^True$", "a thread that sets nothing: 0$"),
    ),
    Try(1, "one device", (("run --devices 2", "run"),), ("107001: .* deviceId is 1: there is 1 device",)),
    Try(
        2, "look before the synchronise",
        ((
            "must(acl.rt.synchronize_stream(stream))\nprint(",
            "print(acl.util.ptr_to_bytes(host, 4).hex())\nmust(acl.rt.synchronize_stream(stream))\nprint(",
        ),),
        ("^00000000$", r"^error\[race\]: acl.util.ptr_to_bytes .*reads `host` while a copy"),
    ),
    Try(2, "log the calls", (("run 02", "run --log calls 02"),), (r"aclrtMemsetAsync\(",)),
    Try(
        5, "synchronise instead",
        ((
            _COPY_TO_HOST + "must(acl.rt.synchronize_device())",
            "must(acl.rt.synchronize_stream(stream))\n" + _COPY_TO_HOST + "must(acl.rt.synchronize_device())",
        ),),
        ("^without an event: 2222222222222222$", r"\A(?!(.|\n)*error)"),
    ),
    Try(
        5, "another schedule", (("run 05", "run --schedule early 05"),),
        (r"^error\[race\]: a copy on the default stream", ),
    ),
    Try(5, "a random schedule", (("run 05", "run --schedule random --seed 3 05"),), (r"^error\[race\]: ",)),
    Try(4, "no record", ((_RECORD_AND_WAIT, _ONLY_WAIT),), ("^wait: 0$", r"^error\[race\]: ")),
    Try(
        4, "no record of the first kind",
        (
            ("event = must(acl.rt.create_event_ex_with_flag(SYNC))", "event = must(acl.rt.create_event())"),
            (_RECORD_AND_WAIT, _ONLY_WAIT),
        ),
        ("^wait: 107000$",),
    ),
    Try(
        4, "no record at all", (("    record = acl.rt.record_event(event, producer)\n", "    record = 0\n"),),
        (r"^error\[deadlock\]: stream `consumer` waits for the flag of (event )?`event`",),
    ),
    Try(
        7, "no block", (("[round_, host], BLOCK", "[round_, host], NO_BLOCK"),),
        (r"^error\[race\]: a copy on `stream` writes `host`",),
    ),
    Try(
        7, "a wait in the callback",
        (("    round_, host = args\n", "    round_, host = args\n    must(acl.rt.synchronize_stream(stream))\n"),),
        (r"^error\[deadlock\]: T1.* and `stream` wait for each other",),
    ),
    Try(
        7, "the main thread serves",
        (
            ("import acl\n", "import threading\n\nimport acl\n"),
            ("thread = must(acl.util.start_thread(serve, [context]))\n", "thread = threading.get_ident()\n"),
            (
                "must(acl.rt.synchronize_stream(stream))  # waits",
                "while len(seen) < 3:\n    must(acl.rt.process_report(100))\n"
                "must(acl.rt.synchronize_stream(stream))  # waits",
            ),
            ("must(acl.util.stop_thread(thread))\n", ""),
        ),
        (r"^synchronised: \[\(0, 10\), \(1, 11\), \(2, 12\)\]$", r"\A(?!(.|\n)*error)"),
    ),
    Try(
        6, "write the source",
        ((
            'print("after a copy of pinned memory:  "',
            'must(acl.rt.memset(pinned, SIZE, 9, SIZE))\nprint("after a copy of pinned memory:  "',
        ),),
        (r"^error\[race\]: acl.rt.memset writes `pinned` while a copy on `stream` may still be reading it",),
    ),
    Try(
        6, "a temporary",
        (("SIZE, pageable.ctypes.data, SIZE", "SIZE, acl.util.bytes_to_ptr(bytes(SIZE)), SIZE"),),
        (r"^error\[dead-host-buffer\]: ",),
    ),
    Try(6, "one buffer both ways", (("down, SIZE, other, SIZE", "down, SIZE, device, SIZE"),), (
        r"^error\[race\]: .*`device`",
    )),
    Try(6, "draw it", (("ascend-sim run 06", "ascend-sim run --timeline - 06"),), (r"^  copy engine H2D .*>>>",)),
    Try(
        8, "one element too many",
        (('"<QI4x", z, N))\n    must', '"<QI4x", z, N + 1))\n    must'), ("(1, 4, 8)", "(8,)")),
        (r"^error\[out-of-bounds\]: kernel `sign`, block 7", r"^AssertionError: 507035: .*acl\.rt\.synchronize_stream"),
    ),
    Try(8, "another product", (("run --kernels", "run --soc Ascend310P3 --kernels"),), ("^[0-9]+ vector cores$",)),
    Try(
        3, "no wait", (("must(acl.rt.stream_wait_event(consumer, ready))\n", ""),),
        (r"^error\[race\]: a copy on `consumer` reads `data`", r"stream_wait_event\(consumer, ready\)|wait"),
    ),
    Try(
        3, "a record before the work",
        ((
            "must(acl.rt.memset_async(data, SIZE, 7, SIZE, producer))\nmust(acl.rt.record_event(ready, producer))\n",
            "must(acl.rt.record_event(ready, producer))\nmust(acl.rt.memset_async(data, SIZE, 7, SIZE, producer))\n",
        ),),
        (r"^error\[race\]: a copy on `consumer` reads `data`",),
    ),
    Try(
        10, "no wait in the loop", (("    must(C.aclrtSynchronizeStream(main))\n", ""),), (r"^error\[race\]: ",),
    ),
    Try(
        10, "no join",
        (("must(C.aclrtRecordEvent(join, side))\nmust(C.aclrtStreamWaitEvent(main, join))\n", ""),),
        (r"capture-rule|107\d\d\d",),
    ),
    Try(
        12, "free the block",
        (("    must(launch())\n", "    must(launch())\n    if 'V2' in name:\n        must(C.aclrtFree(block))\n"),),
        (r"^error\[use-after-free\]: ",),
    ),
    Try(
        12, "a host buffer",
        (("V2(add, BLOCKS, block, len(plus_y), None", "V2(add, BLOCKS, plus_y, len(plus_y), None"),),
        (r"^AssertionError: 507\d+: .*aclrtSynchronizeStream",),
    ),
    Try(
        12, "no second finalise", (("must(C.aclrtKernelArgsFinalize(handle))  # an", "# an"),),
        ("^AssertionError: 107000: .*aclrtLaunchKernelWithConfig: .*finalise",),
    ),
    Try(
        13, "free at once", (("        self.spent.append(block)", "        must(acl.rt.free(block))"),),
        (r"^error\[use-after-free\]: ",),
    ),
    Try(
        13, "destroy while registered",
        ((
            "for pool in (second, third):\n",
            "must(acl.rt.allocator_register(stream, third.desc))\nfor pool in (second, third):\n",
        ),),
        (r"^warning\[stale-registration\]: ",),
    ),
    Try(
        9, "one workspace for both",
        (("zip(streams, outs, spaces, strict=True)", "zip(streams, outs, [space, space], strict=True)"),),
        (r"^error\[race\]: kernel `total` on .* `space`",),
    ),
    Try(
        9, "free too early",
        (("launch(streams[0], outs[0], space)\n", "launch(streams[0], outs[0], space)\nmust(acl.rt.free(space))\n"),),
        (r"^error\[use-after-free\]: ",),
    ),
    Try(
        9, "too small", (("size = 4 * BLOCKS\n", "size = 4 * (BLOCKS - 1)\n"),),
        (r"^error\[out-of-bounds\]: kernel `total`, block 7",),
    ),
    Try(
        11, "another stream", (("SIZE, 2, SIZE, streams[0]))", "SIZE, 2, SIZE, streams[1]))"),),
        (r"^error\[race\]: ",),
    ),
    Try(
        11, "unmap too early",
        ((
            "must(acl.rt.synchronize_stream(streams[0]))\nprint(\"through",
            "must(acl.rt.unmap_mem(first))\nmust(acl.rt.synchronize_stream(streams[0]))\nprint(\"through",
        ),),
        (r"^error\[use-after-free\]: ",),
    ),
    Try(
        11, "set after the unmap",
        ((
            "must(acl.rt.map_mem(first + SIZE, SIZE",
            "print('set:', acl.rt.memset(first, 8, 1, 8))\nmust(acl.rt.map_mem(first + SIZE, SIZE",
        ),),
        (r"^error\[use-after-free\]: ",),
    ),
    Try(
        11, "release too early",
        (("for address in (first + SIZE, second):\n", "print('release:', acl.rt.release_mem_address(second))\n"
          "for address in (first + SIZE, second):\n"),),
        ("^release: 0$", r"^error\[undefined-use\]: "),
    ),
    Try(
        14, "read too early",
        ((
            "must(acl.rt.synchronize_stream(stream))\nprint(\"the code of the resize:\", "
            "acl.media.dvpp_get_pic_desc_ret_code(small))\n",
            "print(\"the code of the resize:\", acl.media.dvpp_get_pic_desc_ret_code(small))\n"
            "must(acl.rt.synchronize_stream(stream))\n",
        ),),
        (r"^warning\[descriptor-in-use\]: .* reads the code of picture descriptor 2 while VPC resize",),
    ),
    Try(
        14, "a wrong stride", (("small = picture(40, 24, 0)\n", "small = picture(40, 24, 0, 40)\n"),),
        (r"^error\[picture-layout\]: VPC resize .* has width stride 40, 48",
         "width stride 48, height stride 24, 1728 bytes"),
    ),
    Try(
        14, "another product",
        (("small = picture(40, 24, 0)\n", "small = picture(40, 24, 0, 40)\n"), ("Ascend310P3 14", "Ascend910B3 14")),
        ("^the code of the resize: 0$",),
    ),
    Try(
        14, "paste at column 8", (("create_roi_config(16, 47, 8, 23)", "create_roi_config(8, 39, 8, 23)"),),
        (r"^error\[picture-layout\]: VPC crop and paste",
         r"paste area \(8, 39, 8, 23\) begins at column 8", "left a multiple of 16: 0 or 16"),
    ),
    Try(
        15, "nobody tells the allocator", (("    scratch.record_stream(side)\n", ""),),
        (r"^error\[race\]: `aten::zero_` on the default stream writes .* whose memory it got", r"scratch\.record_stream"),
    ),
    Try(
        15, "the wait in step 2", (("y = x * 3\nwith torch.npu", "y = x * 3\nside.wait_stream(main)\nwith torch.npu"),),
        (r"\Aascend-sim \d(?![\s\S]*error\[)",),
    ),
)  # fmt: skip
