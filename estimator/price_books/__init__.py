"""Dated unit prices."""
