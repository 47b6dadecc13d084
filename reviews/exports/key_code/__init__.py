"""Code that makes keys: a plan that every language shares, and a writer for each language."""
