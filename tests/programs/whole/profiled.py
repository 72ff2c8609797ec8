"""Profiles and dumps a model (model.om in the directory of the run): ranges and marks, steps, operators, tensors."""

import json
import os
import threading
from pathlib import Path

import acl
import numpy as np


def must(result):
    outputs, ret = (result[:-1], result[-1]) if isinstance(result, tuple) else ((), result)
    assert ret == 0, acl.get_recent_err_msg()
    return outputs[0] if len(outputs) == 1 else outputs


def stamp(message):
    made = acl.prof.create_stamp()
    assert made
    must(acl.prof.set_stamp_trace_message(made, message, len(message)))
    return made


def dataset(values):
    address, made = must(acl.rt.malloc(16, 0)), acl.mdl.create_dataset()
    raw = np.array(values, np.float32).tobytes()
    must(acl.rt.memcpy(address, 16, acl.util.bytes_to_ptr(raw), 16, 1))
    acl.mdl.add_dataset_buffer(made, acl.create_data_buffer(address, 16))
    return made


def gone(made):
    buffer = acl.mdl.get_dataset_buffer(made, 0)
    must(acl.rt.free(acl.get_data_buffer_addr(buffer)))
    must(acl.destroy_data_buffer(buffer))
    must(acl.mdl.destroy_dataset(made))


def marked(stream, work):
    """Run *work* in an outer range, with an inner one that ends elsewhere, and marks."""
    step = acl.prof.create_step_info()
    must(acl.prof.get_step_timestamp(step, 0, stream))
    load, outer, inner = stamp("load"), stamp("outer"), stamp("prepare")
    must(acl.prof.mark(load))
    must(acl.prof.push(outer))
    number = must(acl.prof.range_start(inner))
    must(acl.prof.range_stop(number))
    must(acl.prof.mark_ex("running", stream))
    work()
    must(acl.prof.pop())
    must(acl.prof.get_step_timestamp(step, 1, stream))
    acl.prof.destroy_step_info(step)
    for each in (load, outer, inner):
        acl.prof.destroy_stamp(each)


def subscribed(model, work):
    """Run *work* and return the names of the operators that a reader of the pipe gets."""
    into, out = os.pipe()
    records = bytearray()

    def listen():
        while part := os.read(into, 4096):
            records.extend(part)

    reader = threading.Thread(target=listen)
    reader.start()
    config = acl.prof.create_subscribe_config(1, 0, out)
    must(acl.prof.model_subscribe(model, config))
    work()
    must(acl.prof.model_un_subscribe(model))
    reader.join()
    must(acl.prof.destroy_subscribe_config(config))
    address = acl.util.bytes_to_ptr(bytes(records))
    count = must(acl.prof.get_op_num(address, len(records)))
    return [must(acl.prof.get_op_type_v2(address, len(records), index)) for index in range(count)]


Path("dump.json").write_text(json.dumps({"dump": {"dump_path": os.getcwd(), "dump_list": [{}], "dump_mode": "all"}}))
must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
must(acl.mdl.init_dump())
must(acl.mdl.set_dump("dump.json"))
model = must(acl.mdl.load_from_file("model.om"))
ins, outs = dataset([1, 2, 3, 4]), dataset([0, 0, 0, 0])


def once():
    must(acl.mdl.execute_async(model, ins, outs, stream))
    must(acl.rt.synchronize_stream(stream))


print("operators:", subscribed(model, once))
must(acl.prof.init("results"))
config = acl.prof.create_config([0], 0, 0, 0x0002 | 0x0080)
must(acl.prof.start(config))
marked(stream, once)
must(acl.prof.stop(config))
must(acl.prof.destroy_config(config))
must(acl.prof.finalize())
(trace,) = Path("results").rglob("msprof.json")
names = {event["name"] for event in json.loads(trace.read_text())["traceEvents"]}
print("trace:", sorted(names & {"load", "outer", "prepare", "running"}))
must(acl.mdl.finalize_dump())
once()
for path in sorted(Path().rglob("*.npy")):
    print(path.parent.name, path.name.split(".", 5)[-1], np.load(path).tolist())
for each in (ins, outs):
    gone(each)
must(acl.mdl.unload(model))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
