"""Shared page and error code."""
