"""What the tests that drive the built command have in common."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The whole path, since tests run it in other folders. `make test` also builds what some tests run next to it.
PGHD = os.path.abspath(os.environ.get("PGHD", ROOT / ".build/release/pghd"))
