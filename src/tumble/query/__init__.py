"""What lies between a public call and a traversal."""
