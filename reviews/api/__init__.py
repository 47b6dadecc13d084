"""The REST API: what a team's programs read and change, by a token; described by its own OpenAPI page."""
