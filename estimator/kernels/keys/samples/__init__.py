"""Sample keys."""
