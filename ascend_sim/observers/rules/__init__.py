"""Documented rules of the API: copy kinds, ignored codes, order of destruction, consequences of faults."""
