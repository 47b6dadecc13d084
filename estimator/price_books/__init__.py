"""Dated files of unit prices."""
