"""Small lessons about game-tree search, each a few functions and what they print."""
