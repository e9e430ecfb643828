"""`python -m engine`, its name before 0.3: says what to type now."""

import sys

if __name__ == "__main__":
    sys.exit("sssnake: type `python -m sssnake` and not `python -m engine`")
