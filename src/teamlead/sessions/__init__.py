"""What a session is before, beside and after it is led: opened, staffed, read, shown, cleaned away."""
