"""Robots out of files: shapes, joints and limits; what is wrong with a file is named."""

import pickle
from contextlib import suppress

import numpy as np
import pytest
from arms import ARM, arm_file

from covering import sized
from tumble.errors import FileError, InputError, OptionError
from tumble.mesh import rotation, translation
from tumble.mesh.shapes.round import DEVIATION
from tumble.robot import FIXED, SLIDES, TURNS, Robot


def test_an_arm(tmp_path):
    robot = Robot.load(arm_file(tmp_path))
    assert robot.links == ("base", "frame", "upper", "tool", "left", "right")
    assert robot.joints == ("shoulder", "slide", "grip")
    assert robot.limits.tolist() == [[-1, 2], [0.5, 0.75], [-np.inf, np.inf]]
    parents, kinds, columns, factors, offsets, _, axes = robot.kinematics
    assert parents.tolist() == [-1, 0, 1, 2, 3, 3]
    assert kinds.tolist() == [FIXED, FIXED, TURNS, SLIDES, TURNS, TURNS]
    assert columns.tolist() == [-1, -1, 0, 1, 2, 2]
    assert (factors[5], offsets[5]) == (-2, 0.5)
    assert axes[3].tolist() == [0, 0, 1]
    assert [mesh is None for mesh in robot.meshes] == [False, True, False, False, False, False]
    assert repr(robot) == "<Robot 'arm': 6 links, 3 joints>"
    assert "around them, within 0.5 %" in robot.notes[0]


def test_poses_of_an_arm(tmp_path):
    (found,) = Robot.load(arm_file(tmp_path)).poses([[0.25, 0.5, 0.75]])
    upper = translation(0, 0, 0.5) @ rotation("y", 0.75)
    tool = upper @ translation(0, 0, 2.5)
    right = tool @ translation(-1, 0, 2) @ rotation("z", 0.5 - 2 * 0.75)
    for pose, expected in zip(found[[0, 2, 3, 5]], (np.eye(4), upper, tool, right), strict=True):
        assert np.allclose(pose, expected, atol=1e-14)


def test_shapes_are_around_what_is_round(tmp_path):
    robot = Robot.load(arm_file(tmp_path))
    upper, left = robot.meshes[2], robot.meshes[4]
    most = 1 + DEVIATION
    assert 2.5 <= upper.bounds[1][2] <= 2 + 0.5 * most  # the sphere on top of the cylinder
    assert 0.5 <= upper.bounds[1][0] <= 0.5 * most
    assert 0.6 <= left.bounds[1][2] <= 0.5 + 0.1 * most


def test_a_link_as_it_looks(tmp_path):
    robot = Robot.load(arm_file(tmp_path), geometry="visual")
    assert [mesh is not None for mesh in robot.meshes] == [False, False, True, False, False, False]
    assert robot.meshes[2].bounds[1][0] > 8.9
    with pytest.raises(OptionError, match="unknown geometry 'both'"):
        Robot.load(arm_file(tmp_path), geometry="both")
    with pytest.raises(FileError, match='none of its links has a visual shape; try geometry="collision"'):
        Robot.load(arm_file(tmp_path, "visual>", "gone>"), geometry="visual")


def test_meshes_are_scaled_and_mirrored(tmp_path):
    (tmp_path / "tip.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    path = arm_file(tmp_path, '<box size="0.5 0.5 1"/>', '<mesh filename="tip.obj" scale="-2 3 1"/>')
    tool = Robot.load(path).meshes[3]
    assert tool.bounds.tolist() == [[-2, 0, 1], [0, 3, 2]]
    corners = tool.triangles
    volume = (np.cross(corners[:, 0], corners[:, 1]) * corners[:, 2]).sum() / 6
    assert volume == pytest.approx(1.0)  # still turned outward


def test_pairs_without_an_srdf(tmp_path):
    robot = Robot.load(arm_file(tmp_path))
    adjacent = {("base", "upper"), ("upper", "tool"), ("tool", "left"), ("tool", "right")}
    assert robot.reasons == dict.fromkeys(adjacent, "Adjacent")
    names = {(robot.links[i], robot.links[j]) for i, j in robot.pairs}
    shaped = ["base", "upper", "tool", "left", "right"]
    assert names == {(a, b) for k, a in enumerate(shaped) for b in shaped[k + 1 :]} - adjacent


def test_other_pairs(tmp_path):
    robot = Robot.load(arm_file(tmp_path)).with_allowed([("right", "left"), ("frame", "base")])
    assert robot.reasons == {("left", "right"): "User", ("base", "frame"): "User"}
    assert len(robot.pairs) == 9
    with pytest.raises(InputError, match="there is no link 'elbow'; links are base, frame"):
        robot.with_allowed([("base", "elbow")])


@pytest.mark.parametrize("pairs", [7, None])
def test_what_are_no_pairs_is_refused(tmp_path, pairs):
    with pytest.raises(InputError, match="pairs are a mapping, or a list"):
        Robot.load(arm_file(tmp_path)).with_allowed(pairs)


@pytest.mark.parametrize("pair", ["ab", ("base",), ("base", "base"), ("base", "tool", "left"), 7, ("base", 3)])
def test_what_is_no_pair_is_refused(tmp_path, pair):
    with pytest.raises(InputError, match="a pair is the names of two links"):
        Robot.load(arm_file(tmp_path)).with_allowed([pair])


def test_random_configurations(tmp_path):
    robot = Robot.load(arm_file(tmp_path))
    Q = robot.random(1000, seed=5)
    assert robot.within_limits(Q).all()
    assert Q.tobytes() == robot.random(1000, seed=5).tobytes() != robot.random(1000, seed=6).tobytes()
    assert np.allclose(Q.min(axis=0), [-1, 0.5, -np.pi], atol=0.03)
    assert np.allclose(Q.max(axis=0), [2, 0.75, np.pi], atol=0.03)
    for count, seed, words in (
        (-1, 0, "number of configurations"),
        (1, -1, "seed"),
        (1, "x", "seed"),
        (1.5, 0, "number"),
    ):
        with pytest.raises(OptionError, match=words):
            robot.random(count, seed)


def test_a_joint_beyond_what_is_supported_is_sampled_as_one_without_limits(tmp_path):
    robot = Robot.load(arm_file(tmp_path, 'lower="-1" upper="2"', 'lower="-1e30" upper="2"'))
    first = robot.random(1000)[:, 0]
    assert -np.pi <= first.min() < -3
    assert 1.9 < first.max() <= 2


@pytest.mark.parametrize("lower, upper, ends", [("-inf", -5, (-5 - np.pi, -5)), (7, "inf", (7, 7 + np.pi))])
def test_a_joint_with_one_limit_far_from_0_moves(tmp_path, lower, upper, ends):
    robot = Robot.load(arm_file(tmp_path, 'lower="-1" upper="2"', f'lower="{lower}" upper="{upper}"'))
    Q = robot.random(1000)
    assert np.allclose((Q[:, 0].min(), Q[:, 0].max()), ends, rtol=0, atol=0.03)
    assert robot.within_limits(Q).all()


def test_joints_without_limits_turn_once_or_slide_by_1_each_way(tmp_path):
    robot = Robot.load(arm_file(tmp_path, '<limit lower="0.5" upper="0.75"/>', ""))
    assert robot.limits[1:].tolist() == [[-np.inf, np.inf]] * 2
    ends = np.array([[-1, 1], [-np.pi, np.pi]])
    Q = robot.random(1000)
    assert np.allclose(np.stack([Q.min(axis=0), Q.max(axis=0)], axis=1)[1:], ends, atol=0.03)
    assert robot.within_limits(Q).all()


def test_joints_that_follow_others_that_follow(tmp_path):
    third = """<link name="third"/><joint name="deep" type="prismatic"><parent link="left"/><child link="third"/>
        <mimic joint="other" multiplier="3" offset="0.25"/></joint></robot>"""
    robot = Robot.load(arm_file(tmp_path, "</robot>", third))
    link = robot.links.index("third")
    _, kinds, columns, factors, offsets, _, _ = robot.kinematics
    assert (kinds[link], columns[link]) == (SLIDES, 2)
    assert (factors[link], offsets[link]) == (-6, 3 * 0.5 + 0.25)


def test_a_configuration_by_names(tmp_path):
    robot = Robot.load(arm_file(tmp_path))
    assert robot.configuration({"grip": 3}).tolist() == [0, 0.5, 3]
    with pytest.raises(InputError, match="there is no joint 'other' to drive; joints are shoulder, slide, grip"):
        robot.configuration({"other": 1.0})
    with pytest.raises(InputError, match="not finite"):
        robot.configuration({"grip": np.nan})
    for value in ("x", "1.5", None, [1, 2], 1j, 10**400, True):
        with pytest.raises(InputError, match="value of joint 'grip'"):
            robot.configuration({"grip": value})
    for values in ([1, 2, 3], 7, None):
        with pytest.raises(InputError, match="a configuration is a mapping"):
            robot.configuration(values)


@pytest.mark.parametrize("size", ["5e-324", "1e-200", "1", "1e200", "1.7e308"])
def test_axes_of_any_size_have_length_1(tmp_path, size):
    robot = Robot.load(arm_file(tmp_path, 'axis xyz="0 1 0"', f'axis xyz="{size} {size} -{size}"'))
    assert np.allclose(robot.kinematics.axes[2], np.array([1, 1, -1]) / np.sqrt(3), rtol=0, atol=1e-15)


def test_following_by_next_to_nothing_is_no_warning(tmp_path):
    robot = Robot.load(arm_file(tmp_path, 'multiplier="-2"', 'multiplier="1e-320"'))
    with np.errstate(all="raise"):
        assert robot.poses([[0, 0, 1e5]]).shape == (1, 6, 4, 4)


@pytest.mark.parametrize("kind, names", [("planar", "x y theta"), ("floating", "x y z roll pitch yaw")])
def test_joints_of_more_freedom(tmp_path, kind, names):
    text = ARM.replace('name="shoulder" type="revolute"', f'name="shoulder" type="{kind}"').replace("0 1 0", "0 0 1")
    robot = Robot.load(arm_file(tmp_path, text=text))
    assert robot.joints == (*(f"shoulder/{name}" for name in names.split()), "slide", "grip")
    values = {"x": 1.0, "y": 2.0, "z": 3.0, "roll": 0.3, "pitch": 0.5, "yaw": 0.7, "theta": 0.7}
    row = robot.configuration({name: values[name.partition("/")[2]] for name in robot.joints[:-2]})
    pose = robot.poses(row[None])[0, robot.links.index("upper")]
    start = translation(0, 0, 0.5) @ rotation("y", 0.5)
    turn = rotation("z", 0.7) if kind == "planar" else rotation("z", 0.7) @ rotation("y", 0.5) @ rotation("x", 0.3)
    slide = translation(1, 2, 0 if kind == "planar" else 3)
    assert np.allclose(pose, start @ slide @ turn, atol=1e-14)
    assert ("base", "upper") in robot.allowed


def test_a_robot_comes_back_from_a_pickle(tmp_path):
    robot = Robot.load(arm_file(tmp_path))
    again = pickle.loads(pickle.dumps(robot))
    Q = robot.random(20)
    assert again.poses(Q).tobytes() == robot.poses(Q).tobytes()
    assert (again.links, again.joints, again.allowed) == (robot.links, robot.joints, robot.allowed)
    assert again.pairs.tolist() == robot.pairs.tolist()
    assert again.meshes[3].vertices.tobytes() == robot.meshes[3].vertices.tobytes()
    with pytest.raises(AttributeError):
        robot.links = ()


WRONG = {
    "two roots": ('<link name="frame"/>', '<link name="frame"/><link name="lost"/>',  "found 'base', 'lost'"),
    "a loop": ('<parent link="base"/>', '<parent link="left"/>', "make a loop"),
    "two parents": ('<child link="right"/>', '<child link="left"/>', "'left' is the child of several joints"),
    "an unknown parent": ('<parent link="base"/>', '<parent link="bass"/>', "'bass', which is not a link"),
    "no child": ('<child link="frame"/>', "", "joint 'mount': its child is 'None', which is not a link"),
    "two links of a name": ('<link name="frame"/>', '<link name="base"/>', "two that are called 'base'"),
    "two joints of a name": ('name="slide"', 'name="grip"', "two that are called 'grip'"),
    "a joint of no kind": ('type="prismatic"', 'type="screw"', "joint 'slide' is of kind 'screw'; known are"),
    "a joint without a kind": ('type="prismatic"', "", "joint 'slide' is of kind ''"),
    "limits that are no numbers": ('lower="-1" upper="2"', 'lower="nan" upper="2"', "'shoulder': its limits are nan"),
    "limits in the wrong order": ('lower="-1" upper="2"', 'lower="3" upper="2"', "nothing is between them"),
    "infinite limits": ('lower="-1" upper="2"', 'lower="inf" upper="inf"', "nothing is between them"),
    "limits far away": ('lower="-1" upper="2"', 'lower="1e20" upper="1e21"', "'shoulder', or one that follows it"),
    "limits far below": ('lower="-1" upper="2"', 'lower="-1e21" upper="-1e20"', "'shoulder', or one that follows it"),
    "a limit that is text": ('lower="-1"', 'lower="low"', "joint 'shoulder': lower: could not convert"),
    "an axis without direction": ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', "'shoulder': its axis has no"),
    "an axis that is not finite": ('<axis xyz="0 1 0"/>', '<axis xyz="0 inf 0"/>', "joint 'shoulder': its axis"),
    "following nobody": ('mimic joint="grip"', 'mimic joint="grab"', "follows 'grab', which is no joint that moves"),
    "following a fixed joint": ('mimic joint="grip"', 'mimic joint="mount"', "follows 'mount', which is no joint"),
    "following itself": ('mimic joint="grip"', 'mimic joint="other"', "joint 'other' follows itself"),
    "following by no number": ('multiplier="-2"', 'multiplier="nan"', "not finite"),
    "following nothing from far away": (
        'multiplier="-2" offset="0.5"', 'multiplier="0" offset="1e9"', "'grip', or one that follows it, is always",
    ),
    "following far away": ('offset="0.5"', 'offset="1e9"', "'grip', or one that follows it, is always beyond"),
    "a name that cannot be printed": ('name="mount"', 'name="mo&#10;unt"', "cannot be printed"),
    "a name without end": ('name="mount"', f'name="{"x" * 300}"', "too long"),
    "a far origin": ('xyz="0 0 0.5"', 'xyz="0 0 1e12"', "origin of joint 'mount' is beyond the supported"),
    "an origin that is not finite": ('xyz="0 0 0.5"', 'xyz="0 0 inf"', "joint 'mount': a translation must be"),
    "an angle that is not finite": ('rpy="0 0.5 0"', 'rpy="0 nan 0"', "joint 'shoulder': the angle of a rotation"),
    "a huge shape": ('size="2 2 1"', 'size="2 2 1e300"', "beyond the supported range"),
    "a negative shape": ('size="2 2 1"', 'size="2 2 -1"', "negative size"),
    "a shape of no size": ('size="2 2 1"', 'size="2 nan 1"', "link 'base': a box has .* not finite"),
    "no shape": ('<box size="2 2 1"/>', "", "has no geometry"),
    "an unknown shape": ('<box size="2 2 1"/>', "<cone/>", "a shape of kind 'cone' is not read"),
    "a damaged mesh": ('<box size="2 2 1"/>', '<mesh filename="bad.obj"/>', "link 'base': the mesh 'bad.obj': vertex"),
    "a mesh that is not there": ('<box size="2 2 1"/>', '<mesh filename="gone.stl"/>', "does not exist"),
    "a mesh of an unknown package": (
        '<box size="2 2 1"/>', '<mesh filename="package://other/gone.stl"/>', "name the folder of its package",
    ),
    "a mesh outside": ('<box size="2 2 1"/>', '<mesh filename="../arm.stl"/>', "outside of its folder"),
    "a mesh anywhere": ('<box size="2 2 1"/>', '<mesh filename="file:///etc/passwd"/>', "outside of its folder"),
    "a mesh by its full path": ('<box size="2 2 1"/>', '<mesh filename="/etc/passwd"/>', "outside of its folder"),
    "a mesh in the net": ('<box size="2 2 1"/>', '<mesh filename="http://a.b/c.stl"/>', "have to be fetched"),
    "a mesh behind a link": ('<box size="2 2 1"/>', '<mesh filename="link.stl"/>', "outside of its folder"),
    "macros": ("<link", '<xacro:arm xmlns:xacro="http://www.ros.org/wiki/xacro"/><link', "expand them first"),
    "no robot": ("robot", "sdf", "not with <robot>"),
    "half a file": ("</robot>", "", "truncated or damaged"),
    "entities": (ARM, f'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>{ARM}', "document type declaration"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(tmp_path, name):
    old, new, words = WRONG[name]
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "arm.stl").write_bytes(b"")
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm" / "link.stl").symlink_to(tmp_path / "secret" / "arm.stl")
    (tmp_path / "arm" / "bad.obj").write_text("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    path = arm_file(tmp_path / "arm")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new) if name in ("macros", "no robot") else text.replace(old, new, 1))
    with pytest.raises(FileError, match=words) as caught:
        Robot.load(path)
    assert len(str(caught.value)) < 1000


def test_a_name_between_two_joints_is_taken(tmp_path):
    text = ARM.replace('name="shoulder" type="revolute"', 'name="shoulder" type="planar"')
    with pytest.raises(FileError, match="a link 'shoulder/x'"):
        Robot.load(arm_file(tmp_path, '"frame"', '"shoulder/x"', text))
    with pytest.raises(FileError, match="becomes several, one of them 'shoulder/y', which is there"):
        Robot.load(arm_file(tmp_path, 'name="slide"', 'name="shoulder/y"', text))


@pytest.mark.parametrize(
    "name, content, words",
    [
        ("gone.urdf", None, "cannot be opened"),
        ("arm.urdf.xacro", ARM, r"expand it first, with `xacro"),
        ("arm.urdf", "", "is empty"),
        ("arm.sdf", ARM, "unknown suffix '.sdf'; can be read: urdf, xml"),
        ("arm.zip", ARM, "is an archive"),
    ],
)
def test_files_that_are_no_robots(tmp_path, name, content, words):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(FileError, match=words):
        Robot.load(tmp_path / name)


@pytest.mark.parametrize("path", [7, b"arm.urdf", None])
def test_what_is_no_path_is_refused(tmp_path, path):
    with pytest.raises(OptionError, match="a path must be"):
        Robot.load(path)
    if path is not None:
        with pytest.raises(OptionError):
            Robot.load(arm_file(tmp_path), package_dirs=path)


def test_packages_in_other_folders(tmp_path):
    (tmp_path / "arm").mkdir()
    (tmp_path / "ros" / "shapes" / "stl").mkdir(parents=True)
    (tmp_path / "ros" / "shapes" / "stl" / "tip.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    path = arm_file(tmp_path / "arm", '<box size="2 2 1"/>', '<mesh filename="package://shapes/stl/tip.off"/>')
    for folders in (tmp_path / "ros", [str(tmp_path / "ros" / "shapes")], (tmp_path, tmp_path / "ros")):
        assert len(Robot.load(path, package_dirs=folders).meshes[0]) == 1
    with pytest.raises(FileError, match="name the folder of its package"):
        Robot.load(path)


@sized(60, 600)
@pytest.mark.parametrize("where", [b"0123456789.-", bytes(range(256))])
def test_noise_never_escapes_as_another_error(tmp_path, where, count):
    path = arm_file(tmp_path)
    data = np.frombuffer(path.read_bytes(), np.uint8)
    places = np.flatnonzero(np.isin(data, np.frombuffer(where, np.uint8)))
    rng = np.random.default_rng(11)
    read = 0
    for _ in range(count):
        noisy = data.copy()
        noisy[rng.choice(places, 2)] = rng.choice(np.frombuffer(b"0123456789.-enaif <>/'\"", np.uint8), 2)
        path.write_bytes(noisy.tobytes())
        with suppress(FileError):
            robot = Robot.load(path)
            assert np.isfinite(robot.poses(robot.random(3))).all()
            read += 1
    assert 0 < read < count


def test_a_long_arm(tmp_path):
    """Neither the depth of the tree nor the number of links is limited by Python's stack, or takes squares of time."""
    joints = "".join(
        f'<link name="l{k}"/><joint name="j{k}" type="continuous"><origin xyz="0 0 1"/><axis xyz="0 0 1"/>'
        f'<parent link="{f"l{k - 1}" if k else "tool"}"/><child link="l{k}"/></joint>'
        for k in range(3000)
    )
    robot = Robot.load(arm_file(tmp_path, text=ARM.replace("</robot>", f"{joints}</robot>")))
    assert len(robot.joints) == 3003
    tip = robot.links.index("l2999")
    assert np.linalg.norm(robot.poses(robot.random(2))[:, tip, :3, 3], axis=1).min() > 3000
