"""Review links and what they exclude."""
