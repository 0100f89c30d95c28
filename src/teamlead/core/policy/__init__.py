"""What may be done: by which tools, to which paths, by a lead itself."""
