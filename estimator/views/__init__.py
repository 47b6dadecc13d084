"""Pages for figures."""
