"""The claims of claims.md with their tests: what is counted, what is timed, and what Figures 8 and 9 sweep.

Claims about how long something takes on a GPU are tested where a device is one; ratios between methods and settings are
tested on every device, and on the CPU twin only where there is no device. They are about the method as the paper has
it: all pairs of objects enter, and descendants are written, and tested when they are read.
"""

from tumble.bench.framework.claims import read_claims
from tumble.bench.papers.bsp import (
    count_claims,
    count_sweep_claims,
    device_claims,
    load_claims,
    sweep_claims,
    time_claims,
    tree_claims,
)

CLAIMS = read_claims(
    __package__,
    {
        name: test
        for module in (
            load_claims,
            count_claims,
            count_sweep_claims,
            time_claims,
            sweep_claims,
            tree_claims,
            device_claims,
        )
        for name, test in vars(module).items()
    },
)
