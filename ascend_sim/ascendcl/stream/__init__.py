"""Streams, events, notifies and what waits for values."""
