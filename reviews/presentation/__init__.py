"""What review pages show."""
