"""The papers that are rerun: `tumble.bench.framework.benchmark` says what each of them consists of."""
