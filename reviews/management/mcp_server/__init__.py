"""The server of `keywright mcp`: designs of a folder or a site, judged for agents."""
