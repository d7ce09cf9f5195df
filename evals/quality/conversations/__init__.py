"""Follow-up questions of conversations, about code and about the everyday world."""
