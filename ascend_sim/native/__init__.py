"""C and C++ programs on the simulator: a library with the names of AscendCL, its headers, and the folder around them.

`home` makes the folder that builds look for, with the headers and the shared library, whose functions come here through one
door (`c/door.c`, `inside`). `places` are where a program calls, `kernels` what becomes of its kernel sources. Programs and
their builds need no change. docs/semantics/native.md says what to expect.
"""
