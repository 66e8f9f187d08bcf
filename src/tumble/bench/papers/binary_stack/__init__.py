"""The paper `binary-stack` rerun: 512 falling cows, Table 1, Figure 10, traversals side by side."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.papers.binary_stack import claims, device_walks, figures, measure, obb_race, page, published, races

BENCHMARK = collected("binary-stack", page, figures, published, races, obb_race, device_walks, measure, claims)
