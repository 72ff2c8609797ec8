"""Kernels: numpy functions that every block runs once, and how a program finds, loads and launches them."""
