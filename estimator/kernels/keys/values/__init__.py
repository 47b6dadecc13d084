"""Field values and their popularity."""
