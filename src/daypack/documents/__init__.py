"""What is done with one JSON document, without disk: identity, updates, projection, schema, text."""
