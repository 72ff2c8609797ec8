"""The runtime: devices, contexts, streams, tasks, events and host threads. Raises AclError, knows no face."""
