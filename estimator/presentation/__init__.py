"""What pages and files show of an estimate."""
