"""The opening book shipped with SSSnake and where it came from."""
