"""Rules about reads."""
