"""Demand, placement and node counts."""
