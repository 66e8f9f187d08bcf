"""What fills the slots of page.md about the paper's outlook: other rules, devices."""

from tumble.bench.framework.page import Page, Rows
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import TIME
from tumble.bench.papers.stackless.devices import BASE, DEVICES, EACH, POOL, WALKS, by_way
from tumble.bench.papers.stackless.measure import RULES_STUDY
from tumble.report import count, ratio, significant


def rule_rows(page: Page) -> Rows:
    """The iterations of each rule beside those of volumes, over all scenes that take more than one."""
    study, rows = page.study(RULES_STUDY), []
    chosen = [scene for scene in study.cases() if study.count(scene, "volume", "iterations") > 1]
    for rule in study.contestants() if chosen else []:
        parts = [study.value(s, rule, "iterations") / study.value(s, "volume", "iterations") for s in chosen]
        rows.append([f"`{rule}`", *map(ratio, (geometric_mean(parts), min(parts), max(parts)))])
    return rows


def described_devices(page: Page) -> str:
    """The devices that were measured, and what a CPU among them does not show."""
    study, found = page.study(DEVICES), {}
    for case in study.cases():
        device, platform, kind = (study.text(case, "", part) for part in ("device", "platform", "kind"))
        found[case.split(":")[0]] = f"{device} by {platform}, a {kind.upper()}"
    kinds = {study.text(case, "", "kind") for case in study.cases()}
    hint = "" if "gpu" in kinds else " A CPU runs work-items one after the other: times say nothing about a GPU."
    return f"Measured: {'; '.join(found.values())}.{hint}"


def device_rows(page: Page) -> Rows:
    """Every walk of every crowd."""
    study, rows = page.study(DEVICES), []
    for case in study.cases():
        for method in WALKS:
            names = [by_way(method, way) for way in (EACH, POOL)]
            counts = [study.count(case, names[0], what) for what in ("iterations", "overlaps", "leaf overlaps")]
            times = [significant(1e3 * study.value(case, name, TIME)) for name in names]
            bases = [by_way(BASE, way) for way in (EACH, POOL)]
            ratios = [ratio(study.ratio(case, name, base)) for name, base in zip(names, bases, strict=True)]
            rows.append([case, f"`{method}`", *map(count, counts), *times, *ratios])
    return rows
