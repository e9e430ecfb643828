"""From logged games to an evaluation network."""
