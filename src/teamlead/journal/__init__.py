"""The event log of a session, its inbox and its lease: SQLite files with one writer each."""
