"""In which order tasks are carried out, as a whole, and again."""
