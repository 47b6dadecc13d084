"""Files made of a design, one module per format."""
