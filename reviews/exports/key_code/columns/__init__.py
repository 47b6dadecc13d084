"""Code for the primary keys of Tablestore: what there is, column by column, and a writer for each language."""
