"""The UCI protocol: reading always, printing once."""
