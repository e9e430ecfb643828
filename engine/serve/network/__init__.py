"""How the server is reached: sockets, addresses, strangers."""
