"""The game of a tab: read, changed, written."""
