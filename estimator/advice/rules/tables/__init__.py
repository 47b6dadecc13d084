"""Rules about tables."""
