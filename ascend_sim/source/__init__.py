"""Where in the program: call sites, tracebacks, names of variables."""
