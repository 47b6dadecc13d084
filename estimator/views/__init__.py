"""Pages of what is computed: designs, what stands beside the editor, the catalogue of rules."""
