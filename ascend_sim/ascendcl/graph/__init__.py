"""Chapter 15: model running instances, captured from streams or built by hand."""
