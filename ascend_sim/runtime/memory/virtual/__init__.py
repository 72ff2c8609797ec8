"""Virtual memory: physical handles, mappings, access, and handles that are shared."""
