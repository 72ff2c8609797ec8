"""Versions of threading, queue, time and select that know the scheduler of host threads."""
