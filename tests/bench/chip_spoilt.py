"""Tables of the paper `chip` in which one thing is not as it should be, and what claims and goals say about a table."""

from chip_table import CASE, OBJECTS, ROUNDS, add_software, add_start_up, add_swept, good_table

from tumble.bench.framework.claims import check_claims
from tumble.bench.framework.goals import check_goals
from tumble.bench.framework.table import PUBLISHED
from tumble.bench.papers.chip.claims import CLAIMS, GOALS, OUR_TESTS
from tumble.bench.papers.chip.marks import LIST_MARKS, PAPERS
from tumble.bench.papers.chip.measure import LIST_METHODS, LISTS, METHODS, TRIANGLE_TESTS, VOLUMES
from tumble.bench.papers.chip.published import MARKS
from tumble.bench.papers.chip.rotation import (
    AS_IT_IS,
    BARE_TIME,
    CHIP,
    CYCLE_MODEL,
    LAYOUT,
    PASS_LONGEST,
    PASS_MEAN,
    RECURSIVE,
    ROTATION,
    SOUP,
    VOLUME,
    WITHOUT,
)
from tumble.bench.papers.chip.startup import START_UP
from tumble.bench.papers.chip.variants import VARIANTS


def result(table, name):
    """What one claim gets."""
    return check_claims([claim for claim in CLAIMS if claim.name == name], table)[0]


def results(table):
    return {result.claim.name: result for result in check_claims(CLAIMS, table)}


def words(table):
    return {name: result.verdict.word for name, result in results(table).items()}


def goals(table):
    return {goal.name: goal.verdict for goal in check_goals(GOALS, table)}


def with_series(contestant, quantity, values):
    """The good table with a series of every rotation changed."""
    table = good_table()
    for name in OBJECTS:
        table.study(ROTATION).add_series(name, contestant, quantity, values)
    return table


def with_software(times, *quantities):
    """The recursive traversal's times, with its triangles and without, or only those named."""
    table = good_table()
    for name in OBJECTS:
        for quantity in quantities or ("time", BARE_TIME):
            add_software(table.study(ROTATION), name, quantity, times)
    return table


def with_passes(quantity, by_mean):
    """How much longer the worst case takes than the mean, pass by pass."""
    table = with_series(RECURSIVE, PASS_MEAN.format(quantity), [1e-3] * len(by_mean))
    for name in OBJECTS:
        table.study(ROTATION).add_series(name, RECURSIVE, PASS_LONGEST.format(quantity), [1e-3 * x for x in by_mean])
    return table


def with_marks(exact, *marks):
    """The good table with so many of twenty lists as printed, for all marks or for those named."""
    table = good_table()
    for mark in marks or MARKS:
        table.study(LIST_MARKS).add(mark, PAPERS, "as printed", exact)
    return table


def with_published(factor):
    """Table 1 with other hardware times."""
    table = good_table()
    study = table.study(PUBLISHED)
    for name in study.cases():
        for part in study.contestants(name):
            study.add(name, part, "hardware", factor * study.value(name, part, "hardware"))
    return table


def all_wrong():
    """No traversal and no chip finds the triangles."""
    table = with_model(AS_IT_IS, "same pairs", False)
    for volume in VOLUMES:
        for method in METHODS:
            table.study(LISTS).add(CASE, f"{volume} {method}", "wrong answers", 1)
    for case in table.study(VARIANTS).cases():
        for name in table.study(VARIANTS).contestants(case):
            table.study(VARIANTS).add(case, name, "same pairs", False)
    return table


def with_soup(quantity, value):
    table = good_table()
    table.study(CYCLE_MODEL).add(SOUP, AS_IT_IS, quantity, value)
    return table


def with_layout(quantity, value):
    table = good_table()
    table.study(LAYOUT).add(VOLUME, "", quantity, value)
    return table


def with_model(contestant, quantity, value):
    table = good_table()
    for case in table.study(CYCLE_MODEL).cases():
        table.study(CYCLE_MODEL).add(case, contestant, quantity, value)
    return table


def with_lists(method, quantity, value, volumes=VOLUMES):
    table = good_table()
    for volume in volumes:
        table.study(LISTS).add(CASE, f"{volume} {method}", quantity, value)
    return table


def with_gains(volumes=("kdop24",), **gains):
    """Methods that are so many times as fast as the recursive traversal."""
    table = good_table()
    for volume in volumes:
        for method, value in gains.items():
            table.study(LISTS).add(CASE, f"{volume} stack", f"time / {volume} {method.replace('_', '-')}", value)
    return table


def with_k(volume, method, value):
    table = good_table()
    table.study(LISTS).add(CASE, f"{volume} {method}", f"time / kdop24 {method}", value)
    return table


def with_fast_26(everywhere=False):
    """A chip that is faster with k = 26; software, too."""
    table = with_swept("k: 26", 300)
    for method in METHODS if everywhere else ():
        table.study(LISTS).add(CASE, f"kdop26 {method}", f"time / kdop24 {method}", 0.6)
    return table


def with_swept(setting, cycles):
    table = good_table()
    add_swept(table, setting, cycles)
    return table


def with_idle_comparators():
    """A chip whose second bank of comparators gains nothing."""
    table = with_swept("tumbled: 1", 500)
    table.study("sweep").add("tumbled: 1", WITHOUT, "busy: comparators", 101)
    return table


def with_wrong_design(*settings):
    """Designs that find other pairs: those named, or all."""
    table = good_table()
    for setting in settings or table.study("sweep").cases():
        for part in (AS_IT_IS, WITHOUT):
            table.study("sweep").add(setting, part, "same pairs", False)
    return table


def with_variants(contestant, quantity, value):
    table = good_table()
    for case in table.study(VARIANTS).cases():
        table.study(VARIANTS).add(case, contestant, quantity, value)
    return table


def with_reading(seconds, rounds=ROUNDS):
    """Meshes that are read in so many seconds, where a tree takes one."""
    table = good_table()
    for name in OBJECTS:
        add_start_up(table.study(START_UP), name, seconds, rounds)
    return table


def with_costly_unit(ours=None):
    table = good_table()
    study = table.study(TRIANGLE_TESTS)
    study.add("Filter", "unit triangle", "additions", 500.0)
    for name in OUR_TESTS if ours else ():
        if study.has("Filter", name, "additions"):
            study.add("Filter", name, "additions", ours)
    return table


def all_moved(times):
    """Every node moved so many times, in software and on the chip."""
    table = good_table()
    for volume in VOLUMES:
        for method in LIST_METHODS:
            table.study(LISTS).add(CASE, f"{volume} {method}", "moves", 20.0 * times)
    for name in OBJECTS:
        table.study(ROTATION).add_series(name, CHIP, "tumbled", [40 * times, 200 * times])
    for case in table.study(CYCLE_MODEL).cases():
        table.study(CYCLE_MODEL).add(case, AS_IT_IS, "tumbled", 20 * times)
    return table


def with_noise(study, case, contestant, base, low, high):
    """The good table with an interval around one ratio."""
    table = good_table()
    ends = {f"time / {base}, from": low, f"time / {base}, to": high}
    table.study(study).add_values(case, contestant, ends)
    return table
