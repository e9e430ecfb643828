"""`python -m sssnake.engine.lab`: the laboratory's command line."""

import sys

from sssnake.engine.common import process
from sssnake.engine.lab.cli import main

process.begin()
sys.exit(process.guarded("sssnake lab", lambda: main(sys.argv[1:])))
