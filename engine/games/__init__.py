"""What all kinds of games share: openings, the game log, Elo."""
