"""Pages of accounts, teams and tokens."""
