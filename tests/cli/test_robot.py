"""`tumble robot check`: the table, faults and exit codes, JSON, and the SRDF file that it writes."""

import json

import pytest
from typer.testing import CliRunner

from tumble.cli import app
from tumble.robot import Robot

CLEAR, FAULTS, ERROR = 0, 1, 2

# a cart that is in the base up to x = 1 and beside it up to x = 2, a post that is always in the base by a quarter
CART = """<robot name="cart">
<link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="far"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="cart"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="post"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="away" type="fixed"><origin xyz="0 0 10"/><parent link="base"/><child link="far"/></joint>
<joint name="rail" type="prismatic">
  <origin xyz="0 0 -10"/><axis xyz="1 0 0"/><limit lower="0" upper="2"/><parent link="far"/><child link="cart"/>
</joint>
<joint name="hold" type="fixed"><origin xyz="0 0.75 -10"/><parent link="far"/><child link="post"/></joint>
</robot>"""
SRDF = """<robot name="cart">
<group_state name="out" group="all"><joint name="rail" value="1.5"/></group_state>
<disable_collisions link1="base" link2="post" reason="Always"/>
<disable_collisions link1="cart" link2="base" reason="{}"/>
</robot>"""


def run(*arguments):
    return CliRunner().invoke(app, ["robot", "check", *map(str, arguments)])


@pytest.fixture
def cart(tmp_path):
    path = tmp_path / "cart.urdf"
    path.write_text(CART)
    return path


def srdf(folder, reason):
    path = folder / "cart.srdf"
    path.write_text(SRDF.format(reason))
    return path


def test_a_pair_that_always_touches_is_at_fault(cart):
    result = run(cart, "--samples", "400")
    assert result.exit_code == FAULTS
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["link", "and", "link", "touch", "in", "deepest", "may", "touch", "by", "sampling"]
    assert lines[1].split() == ["✗", "base", "post", "100", "%", "250", "mm", "no", "Always"]
    assert sorted(line.split()[1:3] for line in lines[2:4]) == [["base", "cart"], ["cart", "post"]]
    assert "400 of 400 random configurations collide (100 %); 1 pair at fault." in result.stdout
    assert "base and post always touch, and may not." in result.stdout
    assert "6 pairs of links with a shape: 3 may touch, 3 may not." in result.stdout


def test_an_srdf_decides(cart, tmp_path):
    result = run(cart, "--srdf", srdf(tmp_path, "User"), "--samples", "400")
    assert (result.exit_code, "no pair is at fault" in result.stdout) == (CLEAR, True)
    assert "By sampling, 3 pairs more may touch; --save-srdf FILE writes all that may." in result.stdout
    result = run(cart, "--srdf", srdf(tmp_path, "Never"), "--samples", "400")
    assert result.exit_code == FAULTS
    assert "base and cart touch, and are said never to." in result.stdout
    assert result.stdout.splitlines()[1].split()[:3] == ["✗", "base", "cart"]


def test_json_says_everything(cart, tmp_path):
    result = run(cart, "--srdf", srdf(tmp_path, "Never"), "--samples", "300", "--seed", "7", "--json")
    found = json.loads(result.stdout)
    robot = Robot.load(cart)
    hits = int((robot.random(300, 7)[:, 0] <= 1).sum())
    assert result.exit_code == FAULTS
    assert (found["robot"], found["samples"], found["seed"], found["file"]) == ("cart", 300, 7, str(cart))
    assert found["links"] == ["base", "far", "cart", "post"]
    assert found["joints"] == [{"name": "rail", "lower": 0.0, "upper": 2.0}]
    assert found["states"] == {"out": [1.5]}
    assert found["colliding"] == hits
    pairs = {(pair["a"], pair["b"]): pair for pair in found["pairs"]}
    assert len(pairs) == 6
    base_cart = pairs["base", "cart"]
    assert 0 < base_cart.pop("depth") < 1
    assert base_cart == {
        "a": "base", "b": "cart", "hits": hits, "may_touch": "Never", "by_sampling": None, "fails": True
    }  # fmt: skip
    assert pairs["base", "far"]["by_sampling"] == "Adjacent"
    assert pairs["cart", "post"]["may_touch"] is None


def test_a_joint_without_limits_is_json(cart):
    cart.write_text(CART.replace('<limit lower="0" upper="2"/>', ""))
    result = run(cart, "--samples", "20", "--json")
    assert json.loads(result.stdout)["joints"] == [{"name": "rail", "lower": None, "upper": None}]
    assert "Infinity" not in result.stdout


def test_the_srdf_that_is_written(cart, tmp_path):
    out = tmp_path / "out.srdf"
    result = run(cart, "--srdf", srdf(tmp_path, "Never"), "--samples", "300", "--save-srdf", out)
    assert result.exit_code == FAULTS
    robot = Robot.load(cart, out)
    assert robot.reasons == {
        ("base", "post"): "Always",
        ("base", "far"): "Adjacent",
        ("far", "cart"): "Adjacent",
        ("far", "post"): "Adjacent",
    }
    assert robot.states["out"].tolist() == [1.5]
    assert run(cart, "--srdf", out, "--samples", "300").exit_code == CLEAR


@pytest.mark.parametrize(
    "options, words",
    [
        (("--srdf", "gone.srdf"), "gone.srdf cannot be opened"),
        (("--geometry", "wire"), "unknown --geometry 'wire'; choose one of: collision, visual"),
        (("--geometry", "visual"), 'none of its links has a visual shape; try geometry="collision"'),
        (("--save-srdf", "base.stl"), "cannot write to base.stl: the name of an SRDF file ends in one of .srdf, .xml"),
        (("--save-srdf", "no/such/out.srdf"), "there is no folder no/such"),
    ],
)
def test_wrong_options_are_one_line_on_stderr(cart, options, words):
    result = run(cart, *options)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_is_read_is_not_replaced(cart):
    result = run(cart, "--save-srdf", cart)
    assert result.exit_code == ERROR
    assert "which is read" in result.stderr
    assert cart.read_text() == CART


@pytest.mark.parametrize("options", [("--samples", "0"), ("--seed", "-1"), ("--samples", "many")])
def test_numbers_are_checked(cart, options):
    assert run(cart, *options).exit_code == ERROR
