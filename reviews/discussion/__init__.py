"""Comment threads."""
