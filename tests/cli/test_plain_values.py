"""Options take texts and paths as Typer's converters would, and what a command does not need is not loaded."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer

from tumble.cli import app
from tumble.cli.plain_values import PlainValue

VALUES = {
    "files": [None, (), ("a.stl", "b c.stl"), ["é.stl"], [Path("a.stl")]],
    "unit": [None, "mm", ""],
    "clearance": ["0", "0.1mm"],
    "rules": [None, "rules.toml", Path("rules.toml")],
    "approve": [None, ["1", "2"], ()],
    "json": [True, "yes"],
}


def parameters(name):
    context = typer.Context(typer.main.get_command(app))
    command = context.command.get_command(context, name)
    return {each.name: each for each in command.get_params(typer.Context(command))}


CASES = [(name, value) for name, values in VALUES.items() for value in values]


@pytest.mark.skipif("_runtime_param" not in vars(parameters("check")["unit"]), reason="this Typer converts otherwise")
@pytest.mark.parametrize("name, value", CASES, ids=str)
def test_values_are_those_of_typers_converters(name, value):
    parameter = parameters("check")[name]
    plain = PlainValue().coerce(value, parameter, None)
    parameter._runtime_param = None
    theirs = parameter.get_runtime_param().coerce(value, param=parameter, ctx=None)
    assert not isinstance(parameter.get_runtime_param(), PlainValue)
    assert plain == theirs
    assert list(map(type, plain or ())) == list(map(type, theirs or ())) if isinstance(plain, list) else True


SCRIPT = """
import sys
import tumble.cli.check
from tumble.clash import Checked
sys.modules["tumble.cli.check"].check_parts = lambda parts, *others: Checked(parts, [])
sys.argv = ["tumble", "check", "--tolerance", "1mm"]
try:
    tumble.cli.main()
finally:
    print(sorted({name.partition(".")[0] for name in sys.modules} & {"pydantic", "rich", "numba", "scipy"}))
    print(sorted(name for name in sys.modules if name.startswith(("tumble.cli.", "tumble.volume.", "tumble.bench"))))
"""


@pytest.mark.process
def test_a_check_loads_no_other_command_and_no_converter():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300)
    *_, packages, modules = done.stdout.splitlines()
    assert packages == "[]"
    assert "tumble.cli.check" in modules
    assert not any(name in modules for name in ("cli.view", "cli.simulate", "cli.bench", "volume.kdop", "tumble.bench"))
