"""Values as key bytes."""
