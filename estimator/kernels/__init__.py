"""Arithmetic of keys, rows, traffic and money."""
