"""The player: options, clock, book, tablebases, drivers, and one search from `go` to best move."""
