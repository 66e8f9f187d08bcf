"""The paper `stackless` rerun: its scenes, its five algorithms, its Tables 2 to 8 and Figure 33 beside ours."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.papers.stackless import claims, measure, page, page_outlook, published

BENCHMARK = collected("stackless", page, published, measure, claims, page_outlook)
