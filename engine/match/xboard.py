"""Whether an engine speaks the protocol of xboard (Chess Engine Communication Protocol) and not UCI.

Such an engine may be silent after `uci`, as a UCI engine is that starts slowly:
only a trial tells which it is.
"""

import queue
import re
import time
from collections.abc import Sequence

from sssnake.engine.match.child_process import Process

NOT_UCI = (
    "it does not answer `uci` but speaks xboard's protocol: it needs an adapter, or an option such as --uci"
)
TRIAL_SECONDS = 3.0  # for the answer to `protover`
_REFUSAL = re.compile(rb"\b(error|illegal|invalid|unknown)\b.*\buci\W*$", re.IGNORECASE)
_FEATURE = re.compile(rb"\bfeature\s+\w+=")


def refuses_uci(line: bytes) -> bool:
    """Whether a line is what an engine of xboard's says to `uci`, such as "Error (unknown command): uci"."""
    return _REFUSAL.search(line) is not None


def answers(command: Sequence[str]) -> bool:
    """Start the engine once more, and see whether it answers in xboard's protocol."""
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    try:
        process = Process(command, lambda _stamp, line: lines.put(line))
    except (OSError, ValueError):
        return False
    deadline = time.monotonic() + TRIAL_SECONDS
    try:
        process.write(b"xboard\nprotover 2\n", deadline)
        while (line := lines.get(timeout=max(0.0, deadline - time.monotonic()))) is not None:
            if _FEATURE.search(line):
                return True
    except (OSError, queue.Empty):  # TimeoutError is an OSError
        pass
    finally:
        process.close(0.0)
    return False
