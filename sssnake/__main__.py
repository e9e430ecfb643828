"""`python -m sssnake`: the command line."""

import sys

from sssnake.engine.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
