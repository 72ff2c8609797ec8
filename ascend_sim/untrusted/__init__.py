"""What somebody else wrote: files and JSON read within bounds, names made harmless for a terminal or a log."""
