"""What agents say: their text into checked values. No file is read here, and no command run."""
