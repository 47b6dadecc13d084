"""Keywright as an installed package: its command; the program itself is in `app`."""
