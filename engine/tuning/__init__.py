"""Learning numbers from games: parameters of the search, weights of the evaluation."""
