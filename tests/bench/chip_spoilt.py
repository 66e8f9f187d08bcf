"""Tables of the paper `chip` in which one thing is not as it should be, and what claims and goals say about a table."""

from chip_table import CASE, OBJECTS, add_swept, good_table

from tumble.bench.framework.claims import check_claims
from tumble.bench.framework.goals import check_goals
from tumble.bench.papers.chip.claims import CLAIMS, GOALS, OUR_TESTS
from tumble.bench.papers.chip.measure import LISTS, TRIANGLE_TESTS, VOLUMES
from tumble.bench.papers.chip.rotation import (
    AS_IT_IS,
    BARE_TIME,
    CHIP,
    CYCLE_MODEL,
    LAYOUT,
    RECURSIVE,
    ROTATION,
    SOUP,
    VOLUME,
    WITHOUT,
)
from tumble.bench.papers.chip.variants import VARIANTS


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


def with_software(times):
    """The recursive traversal's times, with its triangles and without."""
    table = with_series(RECURSIVE, "time", times)
    for name in OBJECTS:
        table.study(ROTATION).add_series(name, RECURSIVE, BARE_TIME, times)
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


def with_gains(**gains):
    """The 24-DOP's methods that are so many times as fast as the recursive traversal."""
    table = good_table()
    for method, value in gains.items():
        table.study(LISTS).add(CASE, "kdop24 stack", f"time / kdop24 {method.replace('_', '-')}", value)
    return table


def with_k(volume, method, value):
    table = good_table()
    table.study(LISTS).add(CASE, f"{volume} {method}", f"time / kdop24 {method}", value)
    return table


def with_fast_26():
    return with_swept("k: 26", 300)


def with_swept(setting, cycles):
    table = good_table()
    add_swept(table, setting, cycles)
    return table


def with_wrong_design():
    table = good_table()
    table.study("sweep").add("tumbled: 8", WITHOUT, "same pairs", False)
    return table


def with_variants(contestant, quantity, value):
    table = good_table()
    for case in table.study(VARIANTS).cases():
        table.study(VARIANTS).add(case, contestant, quantity, value)
    return table


def with_build(seconds):
    table = good_table()
    for name in OBJECTS:
        table.study(ROTATION).add(name, "", "build", seconds)
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
    table = with_lists("lists", "moves", 20.0 * times)
    for volume in VOLUMES:
        table.study(LISTS).add(CASE, f"{volume} lists-pairs", "moves", 20.0 * times)
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
