"""The estimate of a design."""
