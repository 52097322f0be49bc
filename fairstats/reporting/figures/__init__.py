"""The figures: one file each, drawn by matplotlib without pyplot, returned as inline SVG with its alternative text."""
