"""Demand, placement, node counts."""
