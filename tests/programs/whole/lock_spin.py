"""The main thread turns round and round on a lock until another thread, which waits for a stream, has left a word."""

import threading

import acl

acl.init()
acl.rt.set_device(0)
context, _ = acl.rt.get_context()
stream, _ = acl.rt.create_stream()
memory, _ = acl.rt.malloc(1 << 20, 0)
lock = threading.Lock()
words: list[str] = []


def work() -> None:
    acl.rt.set_context(context)
    acl.rt.memset_async(memory, 1 << 20, 0, 1 << 20, stream)
    acl.rt.synchronize_stream(stream)
    with lock:
        words.append("done")


thread = threading.Thread(target=work)
thread.start()
while True:
    with lock:
        if words:
            break
thread.join()
print(words[0])
acl.rt.free(memory)
acl.rt.destroy_stream(stream)
acl.rt.reset_device(0)
acl.finalize()
