"""The evaluation network that is shipped, and its card."""
