"""Facts of a design and its estimate that rules share."""
