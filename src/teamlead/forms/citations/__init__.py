"""The `file:line` citations in what agents write, each with the code that is quoted for it."""
