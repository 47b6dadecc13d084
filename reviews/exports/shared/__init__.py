"""Shared parts of the exports.

They are the result, names, quoting for each syntax, garbage collection and the exported content.
"""
