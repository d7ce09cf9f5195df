"""Work-flow questions: trace → code, change → other changes, change → tests, name → uses."""
