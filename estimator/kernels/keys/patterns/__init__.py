"""Compiled key patterns."""
