"""What members of a team say to each other."""
