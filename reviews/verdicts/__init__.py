"""Sections and their verdicts."""
