"""Sections of a design and their verdicts."""
