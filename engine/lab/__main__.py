"""`python -m engine.lab`: the laboratory's command line."""

import sys

from .cli import main

sys.exit(main(sys.argv[1:]))
