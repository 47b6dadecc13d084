"""Rule list and pages."""
