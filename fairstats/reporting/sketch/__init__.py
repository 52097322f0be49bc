"""Figures of a page, drawn without matplotlib: what figures ask of its axes, laid out and written as small SVG."""
