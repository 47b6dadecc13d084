"""Comparisons of designs, fixes and simulations."""
