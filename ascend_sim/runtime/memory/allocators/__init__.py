"""Allocators that a program registers for streams: registry, lookup, use."""
