"""From a launch call to running blocks: binaries, arguments, cores, grid, accesses, faults."""
