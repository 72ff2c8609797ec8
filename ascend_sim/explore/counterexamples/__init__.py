"""Counterexamples: failing schedules are minimised, explained, and kept in files that run again."""
