"""The controlled scheduler: transitions of streams, host threads and blocks."""
