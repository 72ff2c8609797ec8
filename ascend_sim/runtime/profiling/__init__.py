"""The profiler of the program: sessions, stamps and ranges, and what a session has seen, as a file."""
