"""Pages of the editor."""
