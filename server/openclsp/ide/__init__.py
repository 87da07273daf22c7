"""Editor features without protocol types: pure functions from an analysed unit and a position to plain
values."""
