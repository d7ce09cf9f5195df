"""A thousand million chunks on paper: what a team store would take, computed from figures measured on small ones."""
