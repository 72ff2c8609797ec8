"""Kernel sources in C++: what builds make of them, and the numpy kernels that their launches run."""
