"""Pages for designs, accounts and the editor."""
