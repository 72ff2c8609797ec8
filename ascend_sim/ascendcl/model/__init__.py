"""Models: loading, descriptions, datasets, execution, AIPP."""
