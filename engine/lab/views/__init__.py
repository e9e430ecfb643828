"""What the laboratory prints, draws and plots."""
