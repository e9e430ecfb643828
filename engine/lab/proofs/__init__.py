"""The theorems about the searches, as properties that are checked."""
