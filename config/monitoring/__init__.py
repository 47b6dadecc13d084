"""A running site as operators see it: health, figures, log lines, receivers of errors, and a diagnosis."""
