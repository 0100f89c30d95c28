"""The team's tools, as agents reach them while they work: an MCP server on loopback."""
