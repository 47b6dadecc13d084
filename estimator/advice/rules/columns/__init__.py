"""Rules about columns."""
