"""`tumble bench peers`: options that make no sense."""

import pytest
from typer.testing import CliRunner

from tumble.cli import app


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize(
    "options, message",
    [
        (("--only", "first"), "unknown query 'first': choose from first-hit"),
        (("--only", ","), "no query named"),
        (("--threads", "0"), "threads=0"),
        (("--data", "nowhere"), "nowhere is no folder"),
    ],
)
def test_wrong_options_are_explained(tmp_path, options, message):
    result = run("bench", "peers", "--out", str(tmp_path), *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
