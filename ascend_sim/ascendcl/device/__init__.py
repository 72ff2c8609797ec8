"""Devices and contexts."""
