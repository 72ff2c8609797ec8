"""Files of single pictures: what their headers say, decoding and encoding."""
