"""The fuzzer: random awkward questions to everything public, judged by the oracles; `python -m tests.fuzz --help`."""

import sys
from pathlib import Path

# The judges, and the makers of files and designs, must be found however the fuzzer was started.
_TESTS = Path(__file__).resolve().parents[1]
for _folder in (_TESTS / "mesh", _TESTS / "chip", _TESTS):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))
