"""What pixels are in memory, and what is done to them: formats, planes, conversion, scaling, borders."""
