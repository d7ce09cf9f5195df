"""Features of a pool of candidates → their scores, and what each signal added. Pure."""
