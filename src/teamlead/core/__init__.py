"""The rules. Values in, values out: no I/O, no clock, no randomness, no async."""
