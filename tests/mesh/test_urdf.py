"""Robots: links where the joints put them, meshes only from allowed folders; yourdfpy is the judge where installed."""

import os
from pathlib import Path

import numpy as np
import pytest
from small_files import LOW, SMALL

from tumble.errors import FileError, InputError
from tumble.mesh import load_assembly, load_parts, rotation, translation
from tumble.mesh.formats.urdf_joints import plane_axes

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
ROBOTS = {
    "example-robot-data/panda_description/urdf/panda.urdf": 11,
    "example-robot-data/panda_description/urdf/panda_collision.urdf": 11,
    "example-robot-data/ur_description/urdf/ur5_robot.urdf": 8,
    "motion-planning/panda/panda.urdf": 11,
    "motion-planning/panda/panda_spherized.urdf": 11,
}

ARM = """<robot name="arm">
<link name="base"><collision><geometry><box size="2 2 1"/></geometry></collision></link>
<link name="upper">
  <collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
</link>
<link name="tool">
  <visual><geometry><sphere radius="9"/></geometry></visual>
  <collision>
    <origin rpy="0 0 1.5707963267948966"/><geometry><mesh filename="{mesh}" scale="2 1 1"/></geometry>
  </collision>
  <collision><origin xyz="0 0 5"/><geometry><sphere radius="0.1"/></geometry></collision>
</link>
<link name="frame"/>
<joint name="j1" type="revolute"><origin xyz="0 0 0.5" rpy="0 0.5 0"/><parent link="base"/><child link="upper"/></joint>
<joint name="j2" type="fixed"><origin xyz="0 0 2"/><parent link="upper"/><child link="tool"/></joint>
<joint name="j3" type="fixed"><parent link="tool"/><child link="frame"/></joint>
</robot>"""


@pytest.fixture
def package(tmp_path):
    """A folder of a package: a robot in urdf/, a mesh in meshes/, and a file outside of it."""
    for folder in ("arm_description/urdf", "arm_description/meshes"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "arm_description/meshes/tool.stl").write_bytes(SMALL["stl"]([("", LOW)]))
    (tmp_path / "secret.stl").write_bytes(SMALL["stl"]([("", LOW)]))
    return tmp_path / "arm_description"


def robot(package, mesh, text=ARM):
    path = package / "urdf" / "arm.urdf"
    path.write_text(text.format(mesh=mesh))
    return path


@pytest.mark.parametrize(
    "mesh", ["package://arm_description/meshes/tool.stl", "../meshes/tool.stl", "file://{}/meshes/tool.stl"]
)
def test_links_are_parts(package, mesh):
    found = load_assembly(robot(package, mesh.format(package)))
    base, upper, tool = found.parts
    assert [part.name for part in found.parts] == ["base", "upper", "tool"]
    assert found.units == "m"
    assert {part.group for part in found.parts} == {"arm"}
    assert base.mesh.bounds.tolist() == [[-1, -1, -0.5], [1, 1, 0.5]]
    turn = np.array([[np.cos(0.5), 0, np.sin(0.5)], [0, 1, 0], [-np.sin(0.5), 0, np.cos(0.5)]])
    ends = turn @ [[0, 0], [0, 0], [0, 2]] + [[0], [0], [0.5]]
    caps = upper.mesh.vertices[-2:].T  # the last two are the centres of the ends
    assert np.allclose(caps, ends, atol=1e-12)
    corner = turn @ [0, 2, 2] + [0, 0, 0.5]  # (1, 0, 0), stretched, turned about z, moved by two joints
    assert np.allclose(tool.mesh.vertices[1], corner, atol=1e-12)
    assert len(tool.mesh) == 1 + 1280
    assert "inside them, within 0.5 %" in found.notes[0]


def test_a_link_is_turned_about_x_then_y_then_z(package):
    text = ARM.replace('rpy="0 0.5 0"', 'rpy="0.3 0.5 0.7"')
    upper = load_parts(robot(package, "../meshes/tool.stl", text))[1]
    (sx, sy, sz), (cx, cy, cz) = np.sin([0.3, 0.5, 0.7]), np.cos([0.3, 0.5, 0.7])
    x, y, z = 0.0, -sx, cx  # the axis of the cylinder, turned about x
    x, z = cy * x + sy * z, cy * z - sy * x
    x, y = cz * x - sz * y, sz * x + cz * y
    bottom, top = upper.mesh.vertices[-2:]
    assert np.allclose((top - bottom) / 2, [x, y, z], atol=1e-12)


def test_round_shapes_are_as_near_as_the_note_says(package):
    (_, upper, tool) = load_parts(robot(package, "../meshes/tool.stl"))
    ball = tool.mesh.triangles[1:].mean(axis=1)
    centre = tool.mesh.triangles[1:].reshape(-1, 3).mean(axis=0)
    assert 0.0995 < np.linalg.norm(ball - centre, axis=1).min() < 0.1
    assert len(upper.mesh) == 4 * 64


def test_a_robot_without_collision_elements_is_taken_as_it_looks(package):
    text = ARM.replace("visual>", "gone>").replace("collision>", "visual>")
    assert len(load_parts(robot(package, "../meshes/tool.stl", text))) == 3


@pytest.mark.parametrize(
    "mesh, words",
    [
        ("../../secret.stl", "outside of its folder"),
        ("package://arm_description/../secret.stl", "outside of its folder"),
        ("file:///etc/passwd", "outside of its folder"),
        ("/etc/passwd", "outside of its folder"),
        ("../meshes/link.stl", "outside of its folder"),
        ("package://other_description/meshes/tool.stl", "name the folder of its package"),
        ("http://example.org/tool.stl", "would have to be fetched"),
        ("../meshes/gone.stl", "does not exist"),
        ("../meshes", "does not exist, or is not a regular file"),
        ("arm.urdf", "of a format that is not read here"),
        ("", "not a regular file"),
        ("x" * 5000, "it refers to 'xxxxx.*', which"),
        ("%00.stl", "it refers to '%00.stl', which"),
    ],
)
def test_only_files_of_the_package_are_opened(package, mesh, words):
    (package / "meshes" / "link.stl").symlink_to(package.parent / "secret.stl")
    with pytest.raises(FileError, match=words):
        load_parts(robot(package, mesh))


def test_other_folders_can_be_allowed(package, tmp_path, monkeypatch):
    other = tmp_path / "ros" / "other_description" / "meshes"
    other.mkdir(parents=True)
    (other / "tool.stl").write_bytes(SMALL["stl"]([("", LOW)]))
    path = robot(package, "package://other_description/meshes/tool.stl")
    for folders in ([tmp_path / "ros"], [tmp_path / "ros" / "other_description"], [str(tmp_path / "ros")]):
        assert len(load_assembly(path, folders=folders).parts) == 3
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere{os.pathsep}{tmp_path / 'ros'}")
    assert len(load_parts(path)) == 3
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    (tmp_path / "prefix").mkdir()
    (tmp_path / "ros").rename(tmp_path / "prefix" / "share")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "prefix"))
    assert len(load_parts(path)) == 3


def test_a_package_ends_where_its_package_xml_is(package):
    deep = package / "robots" / "v2" / "xml"
    deep.mkdir(parents=True)
    path = deep / "arm.urdf"
    path.write_text(ARM.format(mesh="../../../meshes/tool.stl"))
    with pytest.raises(FileError, match="outside of its folder"):
        load_parts(path)
    (package / "package.xml").write_text("<package/>")
    assert len(load_parts(path)) == 3


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('<child link="tool"/>', '<child link="upper"/>', "child of several joints"),
        ('<parent link="base"/>', '<parent link="frame"/>', "make a loop"),
        ('<parent link="base"/>', '<parent link="gone"/>', "not a link"),
        ('<parent link="base"/>', "", "not a link"),
        ('<link name="frame"/>', '<link name="base"/>', "two that are called 'base'"),
        ('<link name="frame"/>', "<link/>", "without a name"),
        ('size="2 2 1"', 'size="2 2"', "has 2 numbers, not 3"),
        ('size="2 2 1"', "", "has no size"),
        ('radius="0.5"', 'radius="-0.5"', "negative size"),
        ('xyz="0 0 2"', 'xyz="0 0 nan"', "finite"),
        ('<box size="2 2 1"/>', "<teapot/>", "teapot"),
        ('<box size="2 2 1"/>', "", "no geometry"),
        (
            '<robot name="arm">',
            '<robot name="arm"><xacro:include xmlns:xacro="http://www.ros.org/wiki/xacro"/>',
            "xacro",
        ),
        ("robot", "sdf", "not with <robot>"),
    ],
)
def test_what_is_wrong_is_named(package, old, new, words):
    assert old in ARM
    with pytest.raises(FileError, match=words):
        load_parts(robot(package, "../meshes/tool.stl", ARM.replace(old, new)))


def test_macros_say_what_to_do(tmp_path):
    (tmp_path / "arm.urdf.xacro").write_text(ARM)
    with pytest.raises(FileError, match=r"xacro robot\.urdf\.xacro > robot\.urdf"):
        load_parts(tmp_path / "arm.urdf.xacro")


@pytest.mark.parametrize("name", ROBOTS)
def test_real_robots(name):
    path = MESHES / name
    if not path.exists():
        pytest.skip("the folder of real meshes is not here")
    parts = load_parts(path)
    assert len(parts) == ROBOTS[name]


@pytest.mark.parametrize("name", [name for name in ROBOTS if "example" in name])
def test_real_robots_stand_as_yourdfpy_puts_them(name):
    yourdfpy = pytest.importorskip("yourdfpy")
    path = MESHES / name
    if not path.exists():
        pytest.skip("the folder of real meshes is not here")
    robot = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True, force_mesh=False)
    for part in load_parts(path):
        place, collisions = robot.get_transform(part.name), robot.link_map[part.name].collisions
        if len(collisions) == 1 and collisions[0].origin is not None:
            place = place @ collisions[0].origin
        # primitives are stretched in the frame of their element, a link of several pieces stands in its own
        size = np.linalg.norm(part.pose[:3, :3], axis=0)
        assert np.allclose(part.pose / [*size, 1.0], place, atol=1e-12)


JOINTS = """<robot name="gripper">
<link name="base"><collision><geometry><box size="2 2 1"/></geometry></collision></link>
<link name="arm"><collision><geometry><box size="1 1 4"/></geometry></collision></link>
<link name="left"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="right"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="tip"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="lift" type="prismatic">
  <origin xyz="0 0 1"/><axis xyz="0 0 2"/><limit lower="0" upper="3"/><parent link="base"/><child link="arm"/>
</joint>
<joint name="turn" type="revolute">
  <origin xyz="0 1 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="2"/><parent link="arm"/><child link="left"/>
</joint>
<joint name="other" type="continuous">
  <origin xyz="0 -1 0"/><axis xyz="0 0 1"/><mimic joint="{}" multiplier="{}" offset="0.5"/>
  <parent link="arm"/><child link="right"/>
</joint>
<joint name="held" type="fixed"><origin xyz="1 0 0"/><parent link="left"/><child link="tip"/></joint>
</robot>"""


def gripper(tmp_path, follows="turn", factor="-2", text=JOINTS):
    path = tmp_path / "gripper.urdf"
    path.write_text(text.format(follows, factor))
    return path


def test_joints_move_what_they_carry(tmp_path):
    found = load_assembly(gripper(tmp_path))
    lift, turn, other = found.joints
    assert [joint.name for joint in found.joints] == ["lift", "turn", "other"]
    assert [found.parts[part].name for part in turn.parts] == ["left", "tip"]
    assert (lift.low, lift.high, turn.parent, other.mimic) == (0.0, 3.0, 0, (1, -2.0, 0.5))
    base, arm, left, right, tip = found.joint_poses({"lift": 2.0, "turn": np.pi / 2})
    np.testing.assert_array_equal(base, np.eye(4))
    np.testing.assert_array_equal(arm[:3, 3], [0, 0, 2])
    np.testing.assert_array_equal(left, tip)
    # the tip, at (1, 1, 1), goes to (0, 2, 3)
    np.testing.assert_allclose(left @ [1, 1, 1, 1], [0, 2, 3, 1], atol=1e-12)
    turned = np.arctan2(right[1, 0], right[0, 0])
    assert turned == pytest.approx(0.5 - np.pi + 0.0)


def test_joints_are_in_the_unit_of_the_assembly(tmp_path):
    found = load_assembly(gripper(tmp_path), to="mm")
    assert found.joints[0].high == 3000.0
    assert found.joints[1].point == (0.0, 1000.0, 1000.0)
    assert found.joints[2].mimic == (1, -2.0, 0.5)
    assert load_assembly(gripper(tmp_path), parts="files").joints == []


def test_joints_of_two_robots(tmp_path):
    other = tmp_path / "second.urdf"
    other.write_text(gripper(tmp_path).read_text())
    found = load_assembly([tmp_path / "gripper.urdf", other])
    assert [joint.name for joint in found.joints][2:4] == ["gripper/other", "second/lift"]
    assert [found.parts[part].name for part in found.joints[4].parts] == ["second/left", "second/tip"]
    assert found.joints[4].parent == 3
    moved = found.joint_poses({"second/lift": 1.0})
    still = [number for number, pose in enumerate(moved) if (pose == np.eye(4)).all()]
    assert still == [0, 1, 2, 4, 5]  # joint "other" has an offset, in both robots


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"elbow": 1.0}, "there is no joint 'elbow'; joints are lift, turn, other"),
        ({"other": 1.0}, "joint 'other' follows another one"),
        ({"turn": np.nan}, "the value of joint 'turn' must be finite"),
    ],
)
def test_values_that_are_refused(tmp_path, values, said):
    with pytest.raises(InputError, match=said):
        load_assembly(gripper(tmp_path)).joint_poses(values)


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        ('joint="{}"', 'joint="wrist" also="{}"', "follows 'wrist', which is no joint that moves"),
        ('joint="{}"', 'joint="other" also="{}"', "joint 'other' follows itself"),
        ('type="revolute"', 'type="planar"', "joint 'other' follows 'turn', which moves in several ways"),
        ('multiplier="{}"', 'multiplier="nan" also="{}"', "not finite"),
        ('<axis xyz="0 0 2"/>', '<axis xyz="0 0 0"/>', "joint 'lift': its axis has no direction"),
        ('lower="0" upper="3"', 'lower="nan" upper="3"', "joint 'lift': its limits are nan and 3.0"),
        ('lower="0" upper="3"', 'lower="4" upper="3"', "nothing is between them"),
    ],
)
def test_joints_that_are_refused(tmp_path, wrong, right, said):
    with pytest.raises(FileError, match=said):
        load_assembly(gripper(tmp_path, text=JOINTS.replace(wrong, right)))


def test_joints_of_other_kinds_are_said_to_stand_still(tmp_path):
    found = load_assembly(gripper(tmp_path, "lift", text=JOINTS.replace('type="revolute"', 'type="screw"')))
    assert [joint.name for joint in found.joints] == ["lift", "other"]
    assert any("do not move here: screw" in note for note in found.notes)


def test_a_planar_joint_is_two_slides_and_a_turn(tmp_path):
    found = load_assembly(gripper(tmp_path, "lift", text=JOINTS.replace('type="revolute"', 'type="planar"')))
    assert [joint.name for joint in found.joints] == ["lift", "turn/x", "turn/y", "turn/theta", "other"]
    assert [found.parts[part].name for part in found.joints[3].parts] == ["left", "tip"]
    left = found.joint_poses({"turn/x": 2.0, "turn/y": 3.0, "turn/theta": np.pi / 2})[2]
    # the joint is at (0, 1, 1): a point one ahead of it in x is turned to one ahead in y, then moved
    np.testing.assert_allclose(left @ [1, 1, 1, 1], [2, 5, 1, 1], atol=1e-12)


def test_a_floating_joint_is_three_slides_and_three_turns(tmp_path):
    found = load_assembly(gripper(tmp_path, "lift", text=JOINTS.replace('type="revolute"', 'type="floating"')))
    names = [joint.name.removeprefix("turn/") for joint in found.joints][1:-1]
    assert names == ["x", "y", "z", "yaw", "pitch", "roll"]
    values = {"x": 1.0, "y": 2.0, "z": 3.0, "roll": 0.3, "pitch": 0.5, "yaw": 0.7}
    left = found.joint_poses({f"turn/{name}": value for name, value in values.items()})[2]
    turn = rotation("z", 0.7) @ rotation("y", 0.5) @ rotation("x", 0.3)
    np.testing.assert_allclose(left, translation(1, 3, 4) @ turn @ translation(0, -1, -1), atol=1e-12)


@pytest.mark.parametrize("normal", [(1, 0, 0), (0, 0, 1), (0, 0, -1), (0.6, -0.48, 0.64), (1e-9, 0, -1), (0, 2, -2)])
def test_axes_of_a_plane(normal):
    unit = tuple(np.array(normal) / np.linalg.norm(normal))
    axes = np.array(plane_axes(unit))
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(axes) > 0
    assert np.allclose(axes[2], unit, atol=1e-8)


def test_a_long_row_of_joints_that_follow_each_other(tmp_path):
    chain = "".join(
        f'<link name="l{k}"/><joint name="c{k}" type="continuous"><parent link="{f"l{k - 1}" if k else "tip"}"/>'
        f'<child link="l{k}"/><mimic joint="{f"c{k + 1}" if k < 2999 else "turn"}" multiplier="1" offset="1"/></joint>'
        for k in range(3000)
    )
    found = load_assembly(gripper(tmp_path, text=JOINTS.replace("</robot>", f"{chain}</robot>")))
    (last,) = (joint for joint in found.joints if joint.name == "c0")
    assert last.mimic == (1, 1.0, 3000.0)


@pytest.mark.parametrize("name", ROBOTS)
def test_joints_against_yourdfpy(name):
    yourdfpy = pytest.importorskip("yourdfpy")
    path = MESHES / name
    if not path.is_file():
        pytest.skip(f"{path} is not there; set TUMBLE_MESHES")
    found = load_assembly(path, folders=MESHES / "example-robot-data")
    judge = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True)
    assert {joint.name for joint in found.joints if joint.mimic is None} == set(judge.actuated_joint_names)
    judge.update_cfg(np.zeros(judge.num_actuated_joints))
    start = {part.name: judge.get_transform(part.name) for part in found.parts}
    rng = np.random.default_rng(1)
    for _ in range(20):
        values = rng.uniform(-1.0, 1.0, judge.num_actuated_joints)
        judge.update_cfg(values)
        poses = found.joint_poses(dict(zip(judge.actuated_joint_names, values, strict=True)))
        for part, pose in zip(found.parts, poses, strict=True):
            np.testing.assert_allclose(pose @ start[part.name], judge.get_transform(part.name), atol=1e-12)
