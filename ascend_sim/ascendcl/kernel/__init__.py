"""Kernel binaries, functions, arguments, launches."""
