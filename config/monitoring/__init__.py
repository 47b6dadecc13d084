"""What operators see of a running site: health, figures, log lines, receivers of errors, and a diagnosis."""
