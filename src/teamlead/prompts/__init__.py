"""What we say to agents: values in, text out."""
