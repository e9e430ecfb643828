"""What is claimed of the searches, as properties that are checked."""
