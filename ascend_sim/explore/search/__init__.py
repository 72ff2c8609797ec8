"""The search through schedules: partial-order reduction (`dpor`) over a tree, and random schedules (`pct`)."""
