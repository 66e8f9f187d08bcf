"""Ask one question at one size, and print what it takes as JSON: what the benchmark starts.

python -m tumble.bench.growth tumble "first hit" 16000 1.0          # about a second of rounds
"""

import json
import sys

from tumble.bench.growth.once import measure

if __name__ == "__main__":
    contestant, name, size, budget = sys.argv[1:]
    print(json.dumps(measure(contestant, name, int(size), float(budget))._asdict()))
