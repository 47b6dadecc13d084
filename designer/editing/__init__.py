"""What forms and buttons do to a design, without Django."""
