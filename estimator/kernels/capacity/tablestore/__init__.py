"""Capacity units of Tablestore."""
