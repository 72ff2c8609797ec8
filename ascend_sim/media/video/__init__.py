"""Channels for video, and the second interface of the media units."""
