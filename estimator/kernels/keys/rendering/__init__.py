"""Key values as bytes."""
