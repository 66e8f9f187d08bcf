"""The framework of the benchmarks: everything that a paper does not have to write itself.

A benchmark is a `Benchmark` record (see `benchmark`, which says how one is written); a run of it is one long table
(`table`), which `run` fills, writes to results.csv, and turns into verdicts, a page and JSON (`render`).
"""
