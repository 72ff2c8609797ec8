"""The memory checker: use after free, uninitialised reads, leaks, work that nobody waited for."""
