"""What templates of reviews use."""
