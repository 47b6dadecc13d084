"""Rules and the row-key advisor."""
