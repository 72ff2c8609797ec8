"""Memory of a process: allocations, copies, host buffers; pools and registered allocators."""
