"""Graphs: what a stream records instead of running it, and the replays of that (docs/semantics/graphs.md)."""
