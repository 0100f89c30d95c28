"""What speaks for or against work: values, and how they are compared."""
