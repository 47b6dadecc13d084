"""Measured block compression."""
