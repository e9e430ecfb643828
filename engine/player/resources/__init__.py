"""What a search borrows from its engine: transposition table and threads, opening book, tablebases."""
