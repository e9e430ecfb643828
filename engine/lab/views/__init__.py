"""Output of the laboratory: text, pages and plots."""
