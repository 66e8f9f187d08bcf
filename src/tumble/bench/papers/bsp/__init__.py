"""The paper `bsp` rerun: Table 1 and Figures 7, 8 and 9 on the UNC scenes, broad phases of others, trees that move."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.papers.bsp import claims, figures, goals, measure, page, published

BENCHMARK = collected("bsp", page, figures, published, measure, claims, goals)
