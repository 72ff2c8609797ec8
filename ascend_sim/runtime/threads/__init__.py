"""Host threads: attached ones, their scheduling (deterministic or free), blocked threads, shutdown."""
