"""How time and memory of every question grow with the size of what is asked about, other libraries beside."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.growth import goals, measure, page

BENCHMARK = collected("growth", page, measure, goals)
