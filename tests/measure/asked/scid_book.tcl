# The moves that Scid offers from a Polyglot book, in a position given as FEN.
sc_book load [lindex $argv 0] 0
sc_base create MEMORY asked
sc_game startBoard [lindex $argv 1]
puts [lindex [sc_book moves 0] 0]
