"""Work-flow questions: trace → code, change → what else, change → tests, name → uses."""
