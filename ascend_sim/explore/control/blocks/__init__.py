"""Blocks of kernels as transitions."""
