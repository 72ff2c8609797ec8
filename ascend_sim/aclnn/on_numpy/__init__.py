"""Bodies on numpy arrays, a module for each kind of operator."""
