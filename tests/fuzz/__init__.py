"""The fuzzer: random awkward questions to everything public, judged by the oracles; `python -m tests.fuzz --help`."""

import sys
from pathlib import Path

# `import oracle` and the other judges must work however the fuzzer was started.
_TESTS = str(Path(__file__).resolve().parents[1])
if _TESTS not in sys.path:
    sys.path.insert(0, _TESTS)
