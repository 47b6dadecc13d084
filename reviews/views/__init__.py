"""Pages for reviews."""
