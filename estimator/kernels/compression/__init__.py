"""How small a table becomes on disk: whole blocks of its cells laid out and compressed with real codecs."""
