"""The commands that keep a store well: damage is found and mended, whole stores are copied and brought back."""
