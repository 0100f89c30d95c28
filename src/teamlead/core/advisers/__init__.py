"""What models say to the lead, and what it makes of that."""
