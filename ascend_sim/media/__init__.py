"""Pictures and video on the media units of a device (DVPP): descriptors, rules of the products, what its tasks do.

See docs/semantics/media.md.
"""
