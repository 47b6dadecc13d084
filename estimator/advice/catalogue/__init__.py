"""Lists and pages of the rules."""
