"""A design as a PDF."""
