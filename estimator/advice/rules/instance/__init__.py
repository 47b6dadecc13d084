"""Rules about instances."""
