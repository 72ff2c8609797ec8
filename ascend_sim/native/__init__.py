"""C and C++ programs on the simulator: a library with the names of AscendCL, its headers, and the folder around them.

`home` writes the folder that builds look for, `library` the shared library, whose functions come here through one door
(`c/door.c`, `inside`). Programs and their builds need no change. docs/semantics/native.md says what to expect.
"""
