"""Stream-ordered memory pools."""
