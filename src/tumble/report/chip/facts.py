"""A run of the chip in rows of text, for the terminal and for the page alike."""

from tumble.chip.cost import setup_bytes
from tumble.chip.result import ChipRun
from tumble.chip.sweep import equation_cycles
from tumble.report.numbers import count, significant


def difference(run: ChipRun) -> float | None:
    """How much longer the model took than Equation 5 says, as a share of the equation's; None where that is nothing."""
    expected = equation_cycles(run)
    return run.cycles / expected - 1 if expected else None


def signed(share: float | None, decimals: int = 1) -> str:
    """A share with its sign, or a dash where there is none."""
    return "–" if share is None else f"{share:+.{decimals}%}".replace("-", "−")


def _beside_equation(plain: ChipRun) -> str:
    if difference(plain) is None:
        return "–"
    return (
        f"{count(plain.cycles)}, {signed(difference(plain))} beside Equation 5 ({count(round(equation_cycles(plain)))})"
    )


def bus_share(run: ChipRun) -> float:
    """The part of the bus's bytes that was used."""
    most = run.cycles * run.design.bus_bits / 8
    return run.bus_bytes / most if most else 0.0


def facts(run: ChipRun, plain: ChipRun) -> list[tuple[str, str]]:
    """What came out and what it took, names and values; `plain` is the same query with triangles left to the host."""
    pairs_a_list = run.aligned_nodes / 2 / run.lists if run.lists else 0.0
    return [
        ("touching triangle pairs", count(len(run.pairs))),
        ("time", f"{significant(run.seconds * 1e6)} µs at {run.design.clock_ns:g} ns per cycle"),
        ("cycles", count(run.cycles)),
        ("… without triangles", _beside_equation(plain)),
        ("set-up before it", f"{count(run.setup_cycles)} cycles, {count(setup_bytes(run.design))} bytes from the host"),
        ("busiest unit", f"{run.bottleneck}, {run.utilisation.get(run.bottleneck, 0.0):.0%} of the time"),
        ("read over the bus", f"{count(run.bus_bytes)} bytes, {bus_share(run):.0%} of what it can carry"),
        ("lists", f"{count(run.lists)}, {significant(pairs_a_list)} pairs of aligned nodes on average"),
        ("aligned nodes read", count(run.aligned_nodes)),
        ("tumbled nodes transformed", count(run.tumbled_nodes)),
        ("triangle pairs checked", f"{count(run.polygon_checks)}, {count(run.unsure)} of them by the host"),
    ]


def units(run: ChipRun) -> list[tuple[str, str, str]]:
    """Each unit, its busy cycles and their share, the busiest first."""
    return [
        (unit, count(cycles), f"{run.utilisation[unit]:.1%}")
        for unit, cycles in sorted(run.busy.items(), key=lambda item: -item[1])
    ]


def waits(run: ChipRun) -> list[tuple[str, str, str]]:
    """What the master controller waited for, in cycles and as a share of all, the longest first."""
    return [
        (reason, count(cycles), f"{cycles / run.cycles:.1%}")
        for reason, cycles in sorted(run.waits.items(), key=lambda item: -item[1])
        if cycles
    ]
