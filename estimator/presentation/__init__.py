"""Page and file content, charts."""
