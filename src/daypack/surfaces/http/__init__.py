"""What every server over HTTP needs: who may ask, and how it listens."""
