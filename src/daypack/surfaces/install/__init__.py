"""Setting Daypack up in the agents that people use, and taking it out again without a trace."""
