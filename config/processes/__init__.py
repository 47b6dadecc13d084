"""Work that one process of a server leaves to another: what takes long, and parts that several need."""
