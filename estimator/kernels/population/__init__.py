"""The population: when events come, which values exist, and how many rows and cells follow."""
