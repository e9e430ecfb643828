"""What every command shares: reading arguments, writing files whole, showing progress."""
