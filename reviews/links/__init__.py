"""Review links and exclusions."""
