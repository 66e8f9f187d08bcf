"""The tables that papers print, as CSV files in `tumble/bench/data`, with the columns of the paper."""

import csv
from importlib.resources import files


def published_rows(name: str) -> list[dict[str, str]]:
    """The rows of data/NAME.csv by column."""
    text = files("tumble.bench").joinpath("data").joinpath(f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
