"""The paper `chip` rerun: Table 1, list traversal in software, triangle tests, and the designer's sweep."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.papers.chip import claims, measure, page, published, rotation

BENCHMARK = collected("chip", page, published, rotation, measure, claims)
