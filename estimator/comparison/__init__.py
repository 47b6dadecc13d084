"""Two designs, fixes or runs compared."""
