"""The documentation site: pages of the repository and pages made from the program, staged for Sphinx."""
