"""XAML: all kinds of transforms, of all elements that can have one."""

import numpy as np
import pytest
from valid_files import _XAML, CUBE, TRIANGLES

from tumble.errors import FileError
from tumble.mesh import load_parts

POSITIONS = " ".join(",".join(map(repr, row)) for row in CUBE.tolist())
MESH = f'<MeshGeometry3D Positions="{POSITIONS}" TriangleIndices="{" ".join(map(str, TRIANGLES.ravel()))}"/>'
GEOMETRY = f"<GeometryModel3D.Geometry>{MESH}</GeometryModel3D.Geometry>"
OFFSET = "<TranslateTransform3D.OffsetX>1</TranslateTransform3D.OffsetX>"
MOVED = '<TranslateTransform3D OffsetX="{}"/>'


def with_transform(element, transform, content):
    return f"<{element}><{element}.Transform>{transform}</{element}.Transform>{content}</{element}>"


def visual(content):
    return f"<ModelVisual3D><ModelVisual3D.Content>{content}</ModelVisual3D.Content></ModelVisual3D>"


def parts_of(tmp_path, content):
    path = tmp_path / "model.xaml"
    path.write_text(
        f'<Viewport3D xmlns="{_XAML}" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml">{content}</Viewport3D>'
    )
    return load_parts(path)


def model(transform):
    return visual(with_transform("GeometryModel3D", transform, GEOMETRY))


def one_model(mesh):
    return visual(f"<GeometryModel3D>{GEOMETRY.replace(MESH, mesh)}</GeometryModel3D>")


def test_transforms_of_the_model_the_group_and_the_visual_add_up(tmp_path):
    inner = with_transform("GeometryModel3D", MOVED.format(1), GEOMETRY)
    group = with_transform("Model3DGroup", MOVED.format(10), inner + f"<GeometryModel3D>{GEOMETRY}</GeometryModel3D>")
    content = f"<ModelVisual3D.Content>{group}</ModelVisual3D.Content>"
    child = with_transform("ModelVisual3D", MOVED.format(100), content)
    outer = f"<ModelVisual3D.Children>{child}</ModelVisual3D.Children>"
    parts = parts_of(tmp_path, with_transform("ModelVisual3D", MOVED.format(1000), outer))
    assert [part.mesh.bounds[0, 0] for part in parts] == [1111.0, 1110.0]


QUARTER = "<RotateTransform3D {}><RotateTransform3D.Rotation>{}</RotateTransform3D.Rotation></RotateTransform3D>"
AXIS = '<AxisAngleRotation3D Axis="0,0,1" Angle="90"/>'
QUATERNION = '<QuaternionRotation3D Quaternion="0,0,0.7071067811865476,0.7071067811865476"/>'
X, Y, Z = CUBE.T


@pytest.mark.parametrize(
    "transform, expected",
    [
        ('<TranslateTransform3D OffsetX="1" OffsetY="-2" OffsetZ="3"/>', (X + 1, Y - 2, Z + 3)),
        ('<ScaleTransform3D ScaleX="2" ScaleZ="3"/>', (2 * X, Y, 3 * Z)),
        ('<ScaleTransform3D ScaleX="2" CenterX="1"/>', (2 * X - 1, Y, Z)),
        (QUARTER.format("", AXIS), (-Y, X, Z)),
        (QUARTER.format('CenterX="1" CenterY="1"', AXIS), (2 - Y, X, Z)),
        (QUARTER.format("", QUATERNION), (-Y, X, Z)),
        ('<MatrixTransform3D Matrix="0,1,0,0 -1,0,0,0 0,0,1,0 5,6,7,1"/>', (5 - Y, 6 + X, 7 + Z)),
        (f'<Transform3DGroup>{MOVED.format(1)}<ScaleTransform3D ScaleX="3"/></Transform3DGroup>', (3 * X + 3, Y, Z)),
        (f'<Transform3DGroup><Transform3DGroup.Children><ScaleTransform3D ScaleX="3"/>{MOVED.format(1)}'
         "</Transform3DGroup.Children></Transform3DGroup>", (3 * X + 1, Y, Z)),
        ("<Transform3DGroup/>", (X, Y, Z)),
    ],
)  # fmt: skip
def test_every_kind_of_transform(tmp_path, transform, expected):
    (part,) = parts_of(tmp_path, model(transform))
    assert np.allclose(part.mesh.vertices, np.stack(expected, axis=1), atol=1e-15)


def test_names_triangles_without_indices_and_transforms_that_do_not_matter(tmp_path):
    soup = MESH[: MESH.index("TriangleIndices")].replace(POSITIONS, "0,0,0 1,0,0 0,1,0") + "/>"
    named = f'<GeometryModel3D x:Name="lid">{GEOMETRY.replace(MESH, soup)}</GeometryModel3D>'
    camera = with_transform("PerspectiveCamera", "<Unknown/>", "")
    parts = parts_of(
        tmp_path, camera + visual(f"<Model3DGroup>{named}<GeometryModel3D>{GEOMETRY}</GeometryModel3D></Model3DGroup>")
    )
    assert [(part.name, len(part.mesh), part.units) for part in parts] == [("lid", 1, None), ("model 2", 12, None)]


@pytest.mark.parametrize(
    "content, word",
    [
        (model("<SkewTransform3D/>"), "SkewTransform3D"),
        (model(f'<TranslateTransform3D>{OFFSET}</TranslateTransform3D>'), "OffsetX"),
        (model(QUARTER.format("", "<OtherRotation3D/>")), "OtherRotation3D"),
        (model('<RotateTransform3D Rotation="{StaticResource r}"/>'), "StaticResource"),
        (model('<MatrixTransform3D Matrix="1,2,3"/>'), "3 numbers, not 16"),
        (model('<TranslateTransform3D OffsetX="{Binding x}"/>'), "Binding"),
        (visual('<GeometryModel3D Transform="{StaticResource t}"/>'), "StaticResource"),
        (visual('<GeometryModel3D Geometry="{StaticResource m}"/>'), "StaticResource"),
        ('<ModelVisual3D Content="{StaticResource m}"/>', "StaticResource"),
        (f"<Viewport3D.Resources>{MESH}</Viewport3D.Resources>", "outside"),
        (with_transform("Viewport2DVisual3D", MOVED, ""), "Viewport2DVisual3D"),
        (one_model(MESH.replace("Positions", "Points")), "out of range"),
        (one_model(MESH.replace('TriangleIndices="', 'TriangleIndices="0 ')), "multiple of three"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused(tmp_path, content, word):
    with pytest.raises(FileError, match=word):
        parts_of(tmp_path, content)
