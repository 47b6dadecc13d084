"""Work that one process of a server leaves to another: what takes long, whole requests, parts that all need."""
