"""Blocks of kernels as transitions: which launches are taken apart, and how their blocks go."""
