"""What the exports share: their result, names, quoting for each syntax, garbage collection, what is exported."""
