"""`python -m engine.lab`: the laboratory's command line."""

import sys

from engine.common import process
from engine.lab.cli import main

process.begin()
sys.exit(process.guarded("sssnake lab", lambda: main(sys.argv[1:])))
