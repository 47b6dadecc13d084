"""Page content."""
