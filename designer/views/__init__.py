"""Pages of the designer: the gallery, one's own designs, the editor, history, teams."""
