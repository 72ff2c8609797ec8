"""Models: what a loaded stand-in is, how it is described, given its gears, and run."""
