"""Rules about row keys."""
