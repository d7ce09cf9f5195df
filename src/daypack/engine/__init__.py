"""The engine: records on their way in, questions on their way to an answer, over one store."""
