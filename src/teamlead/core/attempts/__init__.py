"""The life of an attempt, from its start to what becomes of its work."""
