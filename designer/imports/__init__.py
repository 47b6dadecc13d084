"""Text from elsewhere → parts of a design, and what was not understood."""
