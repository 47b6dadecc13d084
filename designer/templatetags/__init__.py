"""Template tags of every page: see keywright.py."""
