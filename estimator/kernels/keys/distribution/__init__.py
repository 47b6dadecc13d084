"""Shares and quantiles of keys."""
