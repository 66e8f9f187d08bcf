"""SRDF files: pairs that may touch, states, and writing them again."""

from dataclasses import replace

import pytest
from arms import ARM, arm_file, srdf_file

from tumble.errors import FileError, InputError, OptionError
from tumble.robot import Robot, srdf
from tumble.robot import groups as groups_of


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


def test_groups(tmp_path):
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path))
    assert robot.groups == {"all": ("shoulder", "slide", "grip"), "hand": ("grip",)}
    for old, new, found in (
        ('<chain base_link="base"', '<chain base_link="upper"', ("slide", "grip")),
        ('<chain base_link="base"', '<link name="base"/><chain base_link="tool"', ("grip",)),
        ('<chain base_link="base" tip_link="tool"/>', '<joint name="slide"/>', ("slide", "grip")),
        ('<group name="hand"/><chain base_link="base" tip_link="tool"/>', "", ()),
    ):
        assert Robot.load(arm_file(tmp_path), srdf_file(tmp_path, old, new)).groups["all"] == found


def test_a_state_and_a_group_with_a_joint_of_more_freedom(tmp_path):
    text = ARM.replace('name="shoulder" type="revolute"', 'name="shoulder" type="planar"')
    robot = Robot.load(arm_file(tmp_path, text=text), srdf_file(tmp_path, 'value="-0.5"', 'value="1 2 0.5"'))
    assert robot.states["up"].tolist() == [1, 2, 0.5, 0.5, 0]
    with pytest.raises(FileError, match="value of <joint> has 1 numbers, not 3"):
        Robot.load(arm_file(tmp_path, text=text), srdf_file(tmp_path))
    assert robot.groups["all"] == ("shoulder/x", "shoulder/y", "shoulder/theta", "slide", "grip")


def test_groups_do_not_take_squares_of_time(tmp_path):
    groups = "".join(f'<group name="g{k}"><group name="g{k + 1}"/></group>' for k in range(2000))
    last = '<group name="g2000"><joint name="grip"/></group>'
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path, "<end_effector", f"{groups}{last}<end_effector"))
    assert robot.groups["g0"] == ("grip",)
    many = "".join(f'<group name="h{k}"><chain base_link="base" tip_link="tool"/></group>' for k in range(40))
    deep = "".join(
        f'<link name="n{k}"/><joint name="m{k}" type="fixed"><parent link="{f"n{k - 1}" if k else "tool"}"/>'
        f'<child link="n{k}"/></joint>'
        for k in range(2000)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups_of, "MOST_STEPS", 50_000)
        path = srdf_file(tmp_path, "<end_effector", f"{many}<end_effector")
        assert len(Robot.load(arm_file(tmp_path), path).groups) == 42
        with pytest.raises(FileError, match="42 groups, too many for 2,005 joints"):
            Robot.load(arm_file(tmp_path, "</robot>", f"{deep}</robot>"), path)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('link1="upper" link2="base"', 'link1="upper" link2="bass"', "link2 of <disable_collisions> is 'bass'"),
        ('link1="upper" link2="base"', 'link2="base"', "link1 of <disable_collisions> is ''"),
        ('link1="upper" link2="base"', 'link1="base" link2="base"', "names link 'base' twice"),
        ('name="grip"', 'name="grab"', "a value for 'grab', which is not a joint of the robot"),
        ('value="-0.5"', 'value="nan"', "has the value .nan. for joint 'shoulder': not finite"),
        ('value="-0.5"', 'value="1 2"', "has 2 numbers, not 1"),
        ('value="-0.5"', "", "has no value"),
        ('value="-0.5"', 'value="1e9"', "1000000000.0: beyond the supported"),
        ('name="up"', "", "group_state without a name"),
        ('name="up"', 'name="open"', "two of a group that are called 'open'"),
        ('<link name="left"/>', '<link name="lift"/>', "group 'hand' has link 'lift', which is not there"),
        ('<joint name="mount"/>', '<joint name="mound"/>', "group 'hand' has joint 'mound', which is not there"),
        ('tip_link="tool"', 'tip_link="tip"', "group 'all' has link 'tip', which is not there"),
        ('base_link="base"', 'base_link="right"', "'right' does not carry 'tool': not a chain"),
        ('base_link="base"', 'base_link="bass"', "'bass' does not carry 'tool': not a chain"),
        ('<group name="hand"/>', '<group name="head"/>', "a group has 'head' in it, which is not a group"),
        ('<group name="hand"/>', '<group name="all"/>', "group 'all' is inside itself"),
        ('<joint name="mount"/>', '<group name="all"/>', "is inside itself"),
        ('<group name="hand"><link', '<group name="all"><link', "two that are called 'all'"),
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


def test_an_srdf_does_not_replace_other_files(tmp_path):
    path = arm_file(tmp_path)
    before = path.read_bytes()
    robot = Robot.load(path)
    for name in ("arm.urdf", "base.stl", "arm"):
        with pytest.raises(FileError, match=r"the name of an SRDF file ends in one of \.srdf, \.xml"):
            robot.save_srdf(tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == ["arm.urdf"]
    assert path.read_bytes() == before
    robot.save_srdf("/dev/null")


def test_reasons_that_xml_does_not_hold(tmp_path):
    path = tmp_path / "own.srdf"
    robot = Robot.load(arm_file(tmp_path)).with_allowed({("base", "tool"): "a\x1bb\ud800"})
    robot.save_srdf(path)
    assert Robot.load(arm_file(tmp_path), path).reasons == {("base", "tool"): "a\ufffdb\ufffd"}
    path.unlink()
    with pytest.raises(InputError, match="characters that cannot be written"):
        replace(robot, name="a\x1b").save_srdf(path)
    assert not path.exists()


def test_pairs_inside_other_elements_are_not_the_robots(tmp_path):
    inside = '<disable_collisions link1="base" link2="left"/><group_state name="in" group="all"/>'
    inner = f"<other>{inside}</other><end_effector"
    robot = Robot.load(arm_file(tmp_path), srdf_file(tmp_path, "<end_effector", inner))
    assert set(robot.allowed) == {("base", "upper"), ("upper", "tool")}
    assert set(robot.states) == {"up", "open"}


def test_states_do_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(srdf, "MOST_STATE_VALUES", 5)
    with pytest.raises(FileError, match="2 states, too many for 5 joints"):
        Robot.load(arm_file(tmp_path), srdf_file(tmp_path))
