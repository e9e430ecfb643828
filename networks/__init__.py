"""The place of the evaluation network. None is shipped yet: the hand-made terms evaluate."""
