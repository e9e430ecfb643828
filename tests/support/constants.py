"""What many tests name: the folder of the project, commands that start engines, a position full of moves."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = [sys.executable, "-m", "sssnake"]
FAKE = f"{sys.executable} {Path(__file__).with_name('fake_uci.py')}"  # an engine that follows a script
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
