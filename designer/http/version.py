"""The program's version. pyproject.toml has hatchling read it here; asking an installed package for it takes 15 ms."""

VERSION = "0.1.0"
