"""What the tests that drive the built command have in common."""

import inspect
import os
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The whole path, since tests run it in other folders. `make test` also builds what some tests run next to it.
PGHD = os.path.abspath(os.environ.get("PGHD", ROOT / ".build/release/pghd"))
# Seconds, and far more than anything takes on a slow machine: it only ends what would otherwise wait for ever.
LIMIT = 300


def until(condition, pause=0.01):
    """Waits until the condition holds, and returns what it gave."""
    end = time.monotonic() + LIMIT
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited for {LIMIT} s in vain: {inspect.getsource(condition).strip()}")
        time.sleep(pause)
    return found
