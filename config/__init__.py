"""The site: settings, URLs, and what every page shares. No domain knowledge lives here."""
