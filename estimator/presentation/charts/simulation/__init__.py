"""Charts of a simulation: one small file each, on the same three kinds as those of the estimate."""
