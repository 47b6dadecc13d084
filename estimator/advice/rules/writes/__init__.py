"""Rules about writes."""
