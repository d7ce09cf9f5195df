"""The door of scoped, versioned records with a policy."""
