"""Execution of runs."""
