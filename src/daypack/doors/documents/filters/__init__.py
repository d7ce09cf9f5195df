"""MongoDB's filter language: parsed, judged, and answered from indexes."""
