"""Programs that measure: what they print stands in docs/."""
