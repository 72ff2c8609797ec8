"""User callbacks: host functions and reports of streams, exceptions, state changes, initialisation."""
