"""A design as a PDF: a summary of one page, then the chosen sections. `setting` sets it, `sections/` are its parts."""
