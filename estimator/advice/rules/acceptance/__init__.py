"""Rules about accepted risks."""
