"""The machine: profiles, addresses, memory, engines and what things cost. Knows no stream and no API."""
