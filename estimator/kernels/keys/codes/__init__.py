"""Order-preserving codes."""
