"""Whom the lead turns to when it cannot decide, and what is held meanwhile."""
