"""Figures as numbers for a template: lines over an axis, a map of rectangles, a symbol and its neighbours."""
