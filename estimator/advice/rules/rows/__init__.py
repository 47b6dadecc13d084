"""Rules about rows."""
