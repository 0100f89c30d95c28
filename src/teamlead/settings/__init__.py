"""What the user and the repository have settled, and what the user allowed the repository to run."""
