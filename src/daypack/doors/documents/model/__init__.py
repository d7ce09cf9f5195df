"""One JSON document: values, identity, updates, views."""
