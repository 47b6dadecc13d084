"""Shares and quantiles of key ranges."""
