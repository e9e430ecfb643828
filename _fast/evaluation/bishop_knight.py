"""Bishop and knight against a lone king: how far the mate is, on the mean.

KINGS: plies to mate with best play, the strong side to move, on the mean of all won positions with the kings
on these squares. KNIGHTS: how many plies more where the knight stands on this square. A row for each of
SQUARES, the lone king's; in it a digit (of DIGITS, more than the plies by ..._ZERO) for each square of the
other piece, a1, b1, ... h8. The bishop stands on dark squares: the lone king is mated near a1 or h8. Its
other squares are SQUARES turned by half a turn, or mirrored at the diagonal from a1 to h8.

Printed by `python tests/measure/bishop_knight.py`.
"""

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
KING_ZERO = -5
KNIGHT_ZERO = 30
SQUARES = [square for square in range(64) if square % 8 + square // 8 >= 7 and square % 8 >= square // 8]

# fmt: off
KINGS = (
    "omjgfbvvomjgddvvomjgdbdbomjgdddfomjhggggomkjjjjjpnmmmmmmqpoooooo",
    "qnmihvvvpnkhevvvpmkhfvvvpmkhgfehpmkihhhipnlkkkkmqonmmmnnrqpppppq",
    "pmkifevvpmjhddvvomjhdbvvpmjhdddgomjiggggpnkkjjjlpommmmmmqppppopp",
    "srppnnoprpllvvvoqolivvvnqokivvvnqoljiilpqpmlkllprppoooprsrqqqqrs",
    "roolkklmqnligvvvqnkhfvvvqnkhgvvvqnliihjlqnmkkkkmroonnnnprqppppqr",
    "pnljgffhomjhcavvomjgcUvvomjhccvvomjhgggiomkkjjjkpnmmmmmnqqpppppp",
    "tsrqqpqssqponnpqronvvvnprolvvvnqromvvvoqronmlnprsqooooqsssrrrrst",
    "srqpoopqqpnmlknpqoljvvvoqolivvvpqoljvvvqqpmllmorrponnnpssrqqqqrt",
    "rpomlklmqoligeflqnkgcvvvqnkgYvvvqnkggvvvqnlkkjkorponnnoprrqqqqrt",
    "omkigffgoljfZZYfnlieXTvvnlieWTvvnkiecbvvnljihhhkomlkkkkmponnnnnp",
    "tsrqqqrssqonnoprronllmoqqnlvvvnqqnlvvvoqqomvvvqrrponoqrssrqqqrsu",
    "srqpoopqrpnlkklpqnkhfekoqnjevvvoqnjcvvvpqnkjvvvrrponmnqtsrqqqrru",
    "ronkjjjlpmkheeejolicbZbholhbXvvvolhbYvvvolihfvvvpnmlllnrqpooopqs",
    "pnkiggggnlheaZZcmjgaURQUmjfYRJvvmjfXSGvvmjfeXXvvmkjhhginnmllllmp",
    "rponnnoppnljjjkoolieddinnjecZagnnjdZvvvnnjdavvvqokigvvvtponnnqtv",
    "rpnlkkklpmjgfefknkgbYXaenjdXTPQdmicVNvvvmjcXMvvvnjicbvvvonmllmpt",
    "nliedddemjebYXXZkhcXQPPQjfaTIIHOjfYSIEvvjfYUHFvvjfdXTRvvkigfefgp",
    "omjihhhimjfdcccgjfcYWVXbidYSNNOYhcWNJGLXhcVNGvvvhcXOLvvvigbYXvvv",
    "lifdccccjfbYWVVXgcXTQOOQeZUOIHGKeYTLECAEeYSKC7vveYULE5vvfcXWNOvv",
    "hebZYYYYebYVTTTTbYSOMMMNZVOKHGGJYTMH9666YTMG6536YTMG63vvYTNJ66vv",
)
KNIGHTS = (
    "WVTSSTUUVUUTSUUUWVTRSUUTVUUTQSSSWVTUTRTSVWVTUTUTXVWVUVUVYXVWVWVW",
    "WVTTUVTUVTUTTSUTWUTSUUSVVUUSSUTUWUTUSSTTVWUTUTUTWUWUUUTVXWVWVWVW",
    "WVTTSUTVVUUTSRVUWUTSSUSUVUUTRSUUWVTUTRTTVWVTUTUTWVWVTUTVYWVWVWVW",
    "WVUUUUUVVUUUUTWUVTTSUUTUUUSUSUUUVTRTUSUUUUURSTUUVTUTUTUVWVUVUVVW",
    "WVUTSUTUVUUTUSWUVUTRTUUWUUTSUTUVVUSTSUUUUVUSTTUUWUVUUTTVXWUVUVVW",
    "WWUSRTUUWUTTTUUUWUURNUTUVUTTSUSVWUTTTSUUVWUTUTVTWUWUTUTVYXVWVWVW",
    "WWVUUUTVVUVUTUUTVUUUTUUUTUSTUTTUVTUTTUUUTSUUSUVVUUSTUUUWVUTVTVVW",
    "WWVUUUTVVUUTUTUTVUUUUVUUTUSTTUVVVTRUTUVUTTUQUUUVVUTTUUUWVVTVTVWW",
    "WWVUSUQVWUUTTUVUWTURUUTVUUTRSUUXVTSTUTTWUUURSUWUWTVTTUTWWWUVUVWX",
    "XXVRSUMSXVTUSHUVXVVQPUUTVVSUPUSUXVTTTUSXWWVTTUUVXVWVUTUVYXVWVWWX",
    "WVVTUTUVVVVUTRUUVVTUTUSTTUUUUTUVUTTUUUVUTRUTUUUVUUSUVUVWVUTVUVWW",
    "XWVTVUTVWVVUUPVUVUURUUUTTUSUSUTUVTPTUUVVTSUUSUWUVUTSUVUWVVUVUVWX",
    "XXVTUUSUXVUUTLUUWTVQNUUUTVRTUVTWWURSTTUYUUVRUUXZWTVTTUVUWWUVUVXY",
    "ZZXPUTRRZXTWUJSTYWWNKSUQWWQVOUNXYVURJRUUWWUTTUUZYVWTUSUYYYVWVWYY",
    "YXWSVUVUXUUUURUVWUUQOUTSSUQSUTUUVUOUUUVUURUTUUYVVUTUVYYUUVSUUVUY",
    "ZZXSWTUUZWTVUPTVXUVQMUPSUVPUOURUXURQUQVXUTVPSVUZWTUTUWWbWXUUUUaU",
    "ZbXSWTUTbWTVTORWYYUOORMPXWOVNKUWXVTPJUUYXWTRRTVUZVWSUUTdYZWWUXUZ",
    "ZbXUXUXVbWVVUSTXXVUORTSTUVOVNNQTXURNIUTUUSTNUTVXXTSQTVUeVXTTUXee",
    "acZWYVXVcXWXTTSYYYWNRPRSYXNWQMNQYWUOHPUSYWPRQUMYZWVPNPVUYZUVUUZd",
    "ZbXXXXXXbXYWUUVXXYWPTPTSXWPUQQPSXUTQLOOTXUPQOVUVXVTPOUUaXXSSTVaU",
)
# fmt: on
