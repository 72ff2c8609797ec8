"""Where a native program calls: return addresses, their files, lines and functions, and the names in those lines."""
