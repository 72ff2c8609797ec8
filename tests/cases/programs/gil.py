"""A stream with a queued Python callback is destroyed by a call that keeps the interpreter's lock."""

import threading

import acl


def must(result):
    value, code = (result[0], result[-1]) if isinstance(result, tuple) else (None, result)
    assert code == 0, code
    return value


must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
s = must(acl.rt.create_stream())
stop = []


def serve(_):
    acl.rt.set_context(context)
    while not stop:
        acl.rt.process_report(100)


server = threading.Thread(target=serve, args=(None,))
server.start()
must(acl.rt.subscribe_report(server.ident, s))
must(acl.rt.launch_callback(lambda _: None, [1], 1, s))  # <callback>
must(acl.rt.destroy_stream(s))  # <destroy>
stop.append(True)
server.join()
must(acl.rt.reset_device(0))
must(acl.finalize())
