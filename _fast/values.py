"""Values in Python: those of types.pxd, which a test compares. Centipawns unless they are mates."""

NO_VALUE = -32003  # no value
INFINITE = 32002  # above every value: gamma of the first pass of SSS*
MATE = 32000  # mate in n plies is MATE - n
MATE_RANGE = 31744  # mates have |value| >= this
TB_WIN = 31000  # a tablebase win n plies from the root is TB_WIN - n
TB_RANGE = 30744  # static values have |value| < this
DECISIVE = 15000  # a mate whose line is lost: above evaluations, below mates and tablebase wins
FIFTY = 100  # plies without capture or pawn move that draw
