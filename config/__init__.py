"""Settings, addresses and site commands."""
