"""`sssnake analyse`: games and positions, searched, judged, annotated."""
