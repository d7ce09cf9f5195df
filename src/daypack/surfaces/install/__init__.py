"""Setting Daypack up in agents, and removing it without a trace."""
