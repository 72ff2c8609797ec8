"""Waits for an event that nobody records: hardware hangs here."""

import acl

assert acl.init() == 0
assert acl.rt.set_device(0) == 0
stream, _ = acl.rt.create_stream()
event, _ = acl.rt.create_event_with_flag(1)  # ACL_EVENT_SYNC: a wait before the record is legal
assert acl.rt.stream_wait_event(stream, event) == 0
print("waiting", flush=True)
acl.rt.synchronize_stream(stream)
print("never reached")
