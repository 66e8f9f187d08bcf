"""Small robots as text."""

ARM = """<robot name="arm">
<link name="base"><collision><geometry><box size="2 2 1"/></geometry></collision></link>
<link name="frame"/>
<link name="upper">
  <visual><geometry><sphere radius="9"/></geometry></visual>
  <collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
  <collision><origin xyz="0 0 2"/><geometry><sphere radius="0.5"/></geometry></collision>
</link>
<link name="tool"><collision><origin xyz="0 0 1"/><geometry><box size="0.5 0.5 1"/></geometry></collision></link>
<link name="left"><collision><geometry><capsule radius="0.1" length="1"/></geometry></collision></link>
<link name="right"><collision><geometry><capsule radius="0.1" length="1"/></geometry></collision></link>
<joint name="mount" type="fixed">
  <origin xyz="0 0 0.5"/><parent link="base"/><child link="frame"/><axis xyz="0 0 0"/>
</joint>
<joint name="shoulder" type="revolute">
  <origin rpy="0 0.5 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="2"/><parent link="frame"/><child link="upper"/>
</joint>
<joint name="slide" type="prismatic">
  <origin xyz="0 0 2"/><axis xyz="0 0 2"/><limit lower="0.5" upper="0.75"/><parent link="upper"/><child link="tool"/>
</joint>
<joint name="grip" type="continuous">
  <origin xyz="1 0 2"/><axis xyz="0 0 1"/><parent link="tool"/><child link="left"/>
</joint>
<joint name="other" type="revolute">
  <origin xyz="-1 0 2"/><axis xyz="0 0 1"/><mimic joint="grip" multiplier="-2" offset="0.5"/>
  <parent link="tool"/><child link="right"/>
</joint>
</robot>"""

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

SRDF = """<robot name="arm">
<virtual_joint name="world" type="planar" parent_frame="map" child_link="base"/>
<group name="all"><group name="hand"/><chain base_link="base" tip_link="tool"/></group>
<group name="hand"><link name="left"/><joint name="other"/><joint name="mount"/></group>
<group_state name="up" group="all">
  <joint name="shoulder" value="-0.5"/><joint name="world" value="1 2 3"/>
</group_state>
<group_state name="open" group="all"><joint name="grip" value="1"/><joint name="other" value="1"/></group_state>
<end_effector name="hand" parent_link="tool" group="all"/>
<disable_collisions link1="upper" link2="base" reason="Adjacent"/>
<disable_collisions link1="upper" link2="tool"/>
</robot>"""


def arm_file(folder, old="", new="", text=ARM):
    """An arm in a folder, some of its text replaced."""
    assert old in text
    path = folder / "arm.urdf"
    path.write_text(text.replace(old, new) if old else text)
    return path


def srdf_file(folder, old="", new=""):
    assert old in SRDF
    path = folder / "arm.srdf"
    path.write_text(SRDF.replace(old, new) if old else SRDF)
    return path
