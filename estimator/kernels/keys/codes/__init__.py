"""Order-preserving codes of keys."""
