"""The colors of all figures: one accent color, ink and grays."""

ACCENT, INK, GRAY, PALE, BAND = "#0b4f8a", "#1c1c1c", "#595959", "#c9c9c9", "#ececec"
