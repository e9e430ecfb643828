# Reads a PGN file with Scid: for each game a line of its positions before the first move and after each move, and its PGN.
set base [sc_base create MEMORY asked]
set problems [lindex [sc_base import $base [lindex $argv 0]] 1]
sc_base switch $base
puts "problems\t[string map {\n { }} $problems]"
for {set number 1} {$number <= [sc_base numGames $base]} {incr number} {
    sc_game load $number
    sc_move start
    set found [list [sc_pos fen]]
    while {![sc_pos isAt vend]} {
        sc_move forward 1
        lappend found [sc_pos fen]
    }
    puts "boards\t[join $found \t]"
    puts "moves\t[string map {\n { }} [sc_game pgn -width 9999 -tags 0]]"
}
