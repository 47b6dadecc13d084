"""Showing a design to others: links, comments, verdicts, comparison and exports."""
