"""Arithmetic of keys, growth, traffic, capacity, pricing and compression."""
