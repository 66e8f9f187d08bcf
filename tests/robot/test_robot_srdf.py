"""SRDF files: pairs that may touch, states, and writing them again."""

import pytest
from arms import arm_file, srdf_file

from tumble.errors import FileError, OptionError
from tumble.robot import Robot


def test_pairs_and_states(tmp_path):
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path))
    assert robot.reasons == {("base", "upper"): "Adjacent", ("upper", "tool"): "User"}
    assert len(robot.pairs) == 10 - 2
    assert {name: state.tolist() for name, state in robot.states.items()} == {
        "up": [-0.5, 0.5, 0], "open": [0, 0.5, 1]
    }  # fmt: skip


def test_an_srdf_is_about_its_robot(tmp_path):
    assert len(Robot.load(arm_file(tmp_path), srdf_file(tmp_path)).notes) == 1
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path, 'robot name="arm"', 'robot name="leg"'))
    assert robot.notes[-1] == "the SRDF is about a robot 'leg', the URDF about 'arm'."


def test_what_is_written_is_read_again(tmp_path):
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path))
    own = robot.with_allowed({**robot.reasons, ("right", "left"): "Never & always"})
    path = tmp_path / "again.srdf"
    own.save_srdf(path)
    again = Robot.load(arm_file(tmp_path), path)
    assert again.reasons == own.reasons
    assert again.allowed == own.allowed == set(own.reasons)
    assert {name: row.tolist() for name, row in again.states.items()} == {
        name: row.tolist() for name, row in robot.states.items()
    }
    assert '<end_effector name="hand"' in path.read_text()
    again.save_srdf(tmp_path / "third.srdf")
    assert (tmp_path / "third.srdf").read_bytes() == path.read_bytes()
    with pytest.raises(FileError, match="there is no folder"):
        own.save_srdf(tmp_path / "gone" / "arm.srdf")


def test_a_link_that_may_touch_all_others(tmp_path):
    more = '<disable_default_collisions link="tool"/><enable_collisions link1="left" link2="tool"/><end_effector'
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path, "<end_effector", more))
    others = {("base", "tool"), ("frame", "tool"), ("upper", "tool"), ("tool", "right")}
    assert set(robot.allowed) == {("base", "upper"), *others}
    assert robot.reasons["upper", "tool"] == "User"


def test_states_of_several_groups(tmp_path):
    hand = '<group_state name="up" group="hand"><joint name="grip" value="2"/></group_state><end_effector'
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path, "<end_effector", hand))
    assert set(robot.states) == {"all/up", "hand/up", "open"}


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('link1="upper" link2="base"', 'link1="upper" link2="bass"', "link2 of <disable_collisions> is 'bass'"),
        ('link1="upper" link2="base"', 'link2="base"', "link1 of <disable_collisions> is ''"),
        ('link1="upper" link2="base"', 'link1="base" link2="base"', "names link 'base' twice"),
        ('name="grip"', 'name="grab"', "a value for 'grab', which is not a joint of the robot"),
        ('value="-0.5"', 'value="nan"', "has the value nan for joint 'shoulder': not finite"),
        ('value="-0.5"', 'value="1 2"', "has 2 numbers, not 1"),
        ('value="-0.5"', "", "has no value"),
        ('value="-0.5"', 'value="1e9"', "1000000000.0: beyond the supported"),
        ('name="up"', "", "group_state without a name"),
        ('name="up"', 'name="open"', "two of a group that are called 'open'"),
        ("robot", "model", "not with <robot>"),
        ("</robot>", "", "truncated or damaged"),
        ("<robot", "<!DOCTYPE robot []><robot", "document type declaration"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, old, new, words):
    with pytest.raises(FileError, match=words):
        Robot.load(arm_file(tmp_path), srdf_file(tmp_path, old, new))


def test_files_that_are_no_srdf(tmp_path):
    with pytest.raises(OptionError, match="a path must be"):
        Robot.load(arm_file(tmp_path), b"arm.srdf")
    with pytest.raises(FileError, match="cannot be opened"):
        Robot.load(arm_file(tmp_path), tmp_path / "gone.srdf")
    with pytest.raises(FileError, match=r"unknown suffix '.urdf'; can be read: srdf, xml"):
        Robot.load(arm_file(tmp_path), arm_file(tmp_path))
