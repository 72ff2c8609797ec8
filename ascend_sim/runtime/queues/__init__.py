"""Shared queues, shared buffers and tensor channels: what host and device hand over outside streams."""
