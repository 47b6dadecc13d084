"""Rules about column families."""
