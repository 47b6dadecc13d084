"""Form logic of the editor, without Django."""
