"""For Python programs: games judged, and many positions at once."""
