"""Games between UCI engines, and what they say about strength."""
