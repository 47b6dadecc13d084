"""Pages of reviews: links, the review itself, what is said and decided on it."""
