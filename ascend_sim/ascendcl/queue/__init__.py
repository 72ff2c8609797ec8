"""Chapter 17 and 20: tensor channels, shared queues, shared buffers (docs/semantics/queues.md)."""
