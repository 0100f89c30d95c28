"""Events and state in, what screens, files and JSON show out."""
