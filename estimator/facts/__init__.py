"""Facts that rules share."""
