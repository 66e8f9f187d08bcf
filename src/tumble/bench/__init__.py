"""Benchmarks: each reruns one paper (`tumble.bench.stackless`), its published figures beside ours."""
