"""Tensor descriptors, formats and data types."""
