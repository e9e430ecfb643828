"""Names of openings, with their codes in the Encyclopaedia of Chess Openings. A small table of our own.

A position is looked up, not a sequence of moves, so transpositions are found.
"""

from functools import cache

import chess

TABLE = """
A00 Polish Opening: b4
A00 Grob Attack: g4
A00 Van Geet Opening: Nc3
A01 Nimzo-Larsen Attack: b3
A02 Bird's Opening: f4
A02 From's Gambit: f4 e5
A04 Réti Opening: Nf3
A07 King's Indian Attack: Nf3 d5 g3
A09 Réti Gambit: Nf3 d5 c4
A10 English Opening: c4
A15 English, Anglo-Indian Defence: c4 Nf6
A20 English, King's English: c4 e5
A28 English, Four Knights: c4 e5 Nc3 Nf6 Nf3 Nc6
A30 English, Symmetrical: c4 c5
A40 Queen's Pawn Game: d4
A40 Englund Gambit: d4 e5
A43 Old Benoni: d4 c5
A45 Indian Defence: d4 Nf6
A45 Trompowsky Attack: d4 Nf6 Bg5
A46 Indian, Knights Variation: d4 Nf6 Nf3
A48 London System against the King's Indian: d4 Nf6 Nf3 g6 Bf4
A50 Indian, Normal Variation: d4 Nf6 c4
A51 Budapest Gambit: d4 Nf6 c4 e5
A56 Benoni Defence: d4 Nf6 c4 c5
A57 Benko Gambit: d4 Nf6 c4 c5 d5 b5
A60 Modern Benoni: d4 Nf6 c4 c5 d5 e6
A80 Dutch Defence: d4 f5
A83 Dutch, Staunton Gambit: d4 f5 e4
A87 Dutch, Leningrad: d4 f5 c4 Nf6 g3 g6 Bg2 Bg7 Nf3
A90 Dutch, Classical: d4 f5 c4 Nf6 g3 e6 Bg2
B00 King's Pawn Game: e4
B00 Nimzowitsch Defence: e4 Nc6
B00 Owen's Defence: e4 b6
B01 Scandinavian Defence: e4 d5
B01 Scandinavian, Main Line: e4 d5 exd5 Qxd5 Nc3 Qa5
B01 Scandinavian, Modern: e4 d5 exd5 Nf6
B02 Alekhine's Defence: e4 Nf6
B04 Alekhine, Modern: e4 Nf6 e5 Nd5 d4 d6 Nf3
B06 Modern Defence: e4 g6
B07 Pirc Defence: e4 d6 d4 Nf6
B08 Pirc, Classical: e4 d6 d4 Nf6 Nc3 g6 Nf3
B09 Pirc, Austrian Attack: e4 d6 d4 Nf6 Nc3 g6 f4
B10 Caro-Kann Defence: e4 c6
B12 Caro-Kann, Advance: e4 c6 d4 d5 e5
B13 Caro-Kann, Exchange: e4 c6 d4 d5 exd5 cxd5
B14 Caro-Kann, Panov Attack: e4 c6 d4 d5 exd5 cxd5 c4
B17 Caro-Kann, Karpov: e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nd7
B18 Caro-Kann, Classical: e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5
B20 Sicilian Defence: e4 c5
B21 Sicilian, Smith-Morra Gambit: e4 c5 d4 cxd4 c3
B22 Sicilian, Alapin: e4 c5 c3
B23 Sicilian, Closed: e4 c5 Nc3
B27 Sicilian, Open Systems: e4 c5 Nf3
B30 Sicilian, Old Sicilian: e4 c5 Nf3 Nc6
B30 Sicilian, Rossolimo: e4 c5 Nf3 Nc6 Bb5
B33 Sicilian, Sveshnikov: e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5
B34 Sicilian, Accelerated Dragon: e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6
B40 Sicilian, French Variation: e4 c5 Nf3 e6
B41 Sicilian, Kan: e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6
B44 Sicilian, Taimanov: e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6
B50 Sicilian, with d6: e4 c5 Nf3 d6
B51 Sicilian, Moscow: e4 c5 Nf3 d6 Bb5+
B56 Sicilian, Classical: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 Nc6
B70 Sicilian, Dragon: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6
B76 Sicilian, Yugoslav Attack: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 Be3 Bg7 f3
B80 Sicilian, Scheveningen: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6
B90 Sicilian, Najdorf: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
B90 Sicilian, Najdorf, English Attack: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3
C00 French Defence: e4 e6
C01 French, Exchange: e4 e6 d4 d5 exd5 exd5
C02 French, Advance: e4 e6 d4 d5 e5
C03 French, Tarrasch: e4 e6 d4 d5 Nd2
C10 French, Rubinstein: e4 e6 d4 d5 Nc3 dxe4
C11 French, Classical: e4 e6 d4 d5 Nc3 Nf6
C15 French, Winawer: e4 e6 d4 d5 Nc3 Bb4
C20 Open Game: e4 e5
C20 Wayward Queen Attack: e4 e5 Qh5
C21 Danish Gambit: e4 e5 d4 exd4 c3
C22 Centre Game: e4 e5 d4 exd4 Qxd4
C23 Bishop's Opening: e4 e5 Bc4
C25 Vienna Game: e4 e5 Nc3
C29 Vienna Gambit: e4 e5 Nc3 Nf6 f4
C30 King's Gambit: e4 e5 f4
C33 King's Gambit Accepted: e4 e5 f4 exf4
C40 King's Knight Opening: e4 e5 Nf3
C40 Latvian Gambit: e4 e5 Nf3 f5
C40 Damiano Defence: e4 e5 Nf3 f6
C41 Philidor Defence: e4 e5 Nf3 d6
C42 Petrov's Defence: e4 e5 Nf3 Nf6
C44 Knights' Defence: e4 e5 Nf3 Nc6
C44 Ponziani Opening: e4 e5 Nf3 Nc6 c3
C44 Scotch Game: e4 e5 Nf3 Nc6 d4
C44 Scotch Gambit: e4 e5 Nf3 Nc6 d4 exd4 Bc4
C45 Scotch, Main Line: e4 e5 Nf3 Nc6 d4 exd4 Nxd4
C46 Three Knights Opening: e4 e5 Nf3 Nc6 Nc3
C47 Four Knights Game: e4 e5 Nf3 Nc6 Nc3 Nf6
C50 Italian Game: e4 e5 Nf3 Nc6 Bc4
C50 Giuoco Piano: e4 e5 Nf3 Nc6 Bc4 Bc5
C51 Evans Gambit: e4 e5 Nf3 Nc6 Bc4 Bc5 b4
C53 Giuoco Piano, Main Line: e4 e5 Nf3 Nc6 Bc4 Bc5 c3
C55 Two Knights Defence: e4 e5 Nf3 Nc6 Bc4 Nf6
C57 Two Knights, Knight Attack: e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5
C57 Two Knights, Fried Liver Attack: e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5 Nxd5 Nxf7
C60 Ruy Lopez: e4 e5 Nf3 Nc6 Bb5
C65 Ruy Lopez, Berlin Defence: e4 e5 Nf3 Nc6 Bb5 Nf6
C68 Ruy Lopez, Exchange: e4 e5 Nf3 Nc6 Bb5 a6 Bxc6
C70 Ruy Lopez, Morphy Defence: e4 e5 Nf3 Nc6 Bb5 a6 Ba4
C80 Ruy Lopez, Open: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4
C84 Ruy Lopez, Closed: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7
C89 Ruy Lopez, Marshall Attack: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5
D00 Closed Game: d4 d5
D00 Blackmar-Diemer Gambit: d4 d5 e4
D00 London System: d4 d5 Bf4
D02 Queen's Pawn, Zukertort: d4 d5 Nf3
D02 London System, with Nf3: d4 d5 Nf3 Nf6 Bf4
D05 Colle System: d4 d5 Nf3 Nf6 e3 e6 Bd3
D06 Queen's Gambit: d4 d5 c4
D07 Chigorin Defence: d4 d5 c4 Nc6
D08 Albin Countergambit: d4 d5 c4 e5
D10 Slav Defence: d4 d5 c4 c6
D15 Slav, Main Line: d4 d5 c4 c6 Nf3 Nf6 Nc3
D20 Queen's Gambit Accepted: d4 d5 c4 dxc4
D30 Queen's Gambit Declined: d4 d5 c4 e6
D32 Tarrasch Defence: d4 d5 c4 e6 Nc3 c5
D35 Queen's Gambit Declined, Normal: d4 d5 c4 e6 Nc3 Nf6
D35 Queen's Gambit Declined, Exchange: d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5
D43 Semi-Slav Defence: d4 d5 c4 e6 Nc3 Nf6 Nf3 c6
D53 Queen's Gambit Declined, Modern: d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7
D80 Grünfeld Defence: d4 Nf6 c4 g6 Nc3 d5
D85 Grünfeld, Exchange: d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4
E00 Catalan Opening: d4 Nf6 c4 e6 g3
E10 Indian, Anti-Nimzo: d4 Nf6 c4 e6 Nf3
E11 Bogo-Indian Defence: d4 Nf6 c4 e6 Nf3 Bb4+
E12 Queen's Indian Defence: d4 Nf6 c4 e6 Nf3 b6
E20 Nimzo-Indian Defence: d4 Nf6 c4 e6 Nc3 Bb4
E32 Nimzo-Indian, Classical: d4 Nf6 c4 e6 Nc3 Bb4 Qc2
E40 Nimzo-Indian, Rubinstein: d4 Nf6 c4 e6 Nc3 Bb4 e3
E60 King's Indian Defence: d4 Nf6 c4 g6
E61 King's Indian, with Nc3: d4 Nf6 c4 g6 Nc3 Bg7
E70 King's Indian, Normal: d4 Nf6 c4 g6 Nc3 Bg7 e4 d6
E76 King's Indian, Four Pawns Attack: d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f4
E80 King's Indian, Sämisch: d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f3
E90 King's Indian, Classical: d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3
"""

LONGEST = 30  # plies into a game, from which on no position is looked up


@cache
def positions() -> dict[str, str]:
    """Every named position, as `chess.Board.epd` writes it, with code and name."""
    named = {}
    for row in TABLE.strip().splitlines():
        title, _, moves = row.partition(": ")
        board = chess.Board()
        for san in moves.split():
            board.push_san(san)
        named[board.epd()] = title
    return named


def name_of(board: chess.Board) -> str:
    """Code and name of the position, as in "C60 Ruy Lopez"; "" if it has none."""
    return positions().get(board.epd(), "")
