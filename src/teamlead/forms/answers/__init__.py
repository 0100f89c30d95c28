"""What models answer that the lead consults: the JSON they end with into checked values."""
