"""Shared parts of the imports.

They are the result, rules of garbage collection, building a document from data, and Terraform resources.
"""
