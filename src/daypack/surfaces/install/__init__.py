"""Sets Daypack up in agents, and removes it without a trace."""
