"""The paper `boxtree` rerun: Table 1 and Figures 1, 6, 8, 9 and 10 beside ours, its claims and our goals."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.papers.boxtree import claims, experiments, figures, measure, page, published

BENCHMARK = collected("boxtree", page, experiments, figures, published, measure, claims)
