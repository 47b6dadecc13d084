"""Threads and their anchors."""
