"""What people decide and are asked, and how they are told."""
