"""Numbers as people read them: thousands split by thin blanks, three or four figures, never an exponent."""

import math

# The narrow blank that no line is broken at.
THIN_SPACE = "\u202f"


def count(value: int | None) -> str:
    """A whole number with its thousands split, or a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:,}".replace(",", THIN_SPACE)


def significant(value: float | None, figures: int = 3) -> str:
    """A number to `figures` significant figures, in plain decimal notation."""
    if value is None or not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    decimals = max(0, figures - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}".replace(",", THIN_SPACE)


def microseconds(seconds: float | None) -> str:
    """A duration in microseconds, without the unit (the column's title carries it)."""
    return significant(None if seconds is None else seconds * 1e6)


def ratio(value: float | None) -> str:
    """A ratio such as 1.07×: two decimals near one, three figures when large."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.2f}×" if value < 10 else f"{significant(value)}×"
