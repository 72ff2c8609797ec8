"""The controlled scheduler: one run whose steps (of host threads, streams and blocks) are chosen one at a time."""
