"""Observers: what listens to a simulator. One file a checker, each readable alone."""
