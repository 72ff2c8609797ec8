"""Failing schedules: replay files, minimisation, explanation."""
