"""Benchmarks: each reruns one paper, its published figures beside ours; `peers` races other libraries.

    from tumble import bench
    bench.run("chip", "results/chip", quick=True)                       # writes index.html, results.csv and more
    bench.render("chip", "results/chip/results.csv", "page")            # the same page from the table alone

`framework` is what they share, `papers` has a module for each, `data` the published tables, `peers` other libraries.
"""

from tumble.bench.framework.registry import BENCHMARKS, render, run

__all__ = ["BENCHMARKS", "render", "run"]
