"""Pages that list, start, import and restore designs."""
