"""What test programs report, read from their output. One file a program."""
