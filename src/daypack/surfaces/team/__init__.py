"""A server for the people of a team: the person behind each request, and their place in a project."""
