"""3DXML: instances of instances, shapes of one name, and structures that do not hold together."""

import io
import zipfile

import numpy as np
import pytest
from valid_files import _3dxml, zipped

from tumble.errors import FileError
from tumble.mesh import load_parts

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)


def written(path, edit=lambda name, content: content):
    data, _, _ = _3dxml(np.random.default_rng(0), [CUBE, CUBE * 2 + 100])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: edit(name, archive.read(name)) for name in archive.namelist()}
    path.write_bytes(zipped(members))
    return path


def test_instances_of_parts_that_have_one_name(tmp_path):
    parts = load_parts(written(tmp_path / "a.3dxml"))
    assert [part.name for part in parts] == ["block", "block#2", "block#3", "block#4"]
    assert [part.mesh.bounds.tolist() for part in parts] == [
        [[0, 0, 0], [1, 1, 1]],
        [[100, 100, 100], [102, 102, 102]],
        [[9, 0, 0], [10, 1, 1]],
        [[109, 100, 100], [111, 102, 102]],
    ]
    assert {part.units for part in parts} == {"mm"}
    assert {len(part.mesh) for part in parts} == {12}


def test_triangles_strips_and_fans_cover_the_box_once(tmp_path):
    part = load_parts(written(tmp_path / "a.3dxml"))[0]
    assert len({tuple(sorted(face)) for face in part.mesh.faces.tolist()}) == 12
    a, b, c = part.mesh.triangles.transpose(1, 0, 2)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == 6


@pytest.mark.parametrize(
    "old, new, words",
    [
        (b'format="TESSELLATED"', b'format="BREP"', "not TESSELLATED"),
        (b"<IsInstanceOf>10<", b"<IsInstanceOf>77<", "'77'"),
        (b"<IsInstanceOf>12<", b"<IsInstanceOf>77<", "shape '77'"),
        (b"<IsInstanceOf>10<", b"<IsInstanceOf>1<", "cycle"),
        (b'root="1"', b"", "root"),
        (b"<Root>tree", b"<Root>gone", "gone.3dxml"),
        (b"PolygonalRepType", b"CylinderRepType", "CylinderRepType"),
        (b"1 0 0 0 1 0 0 0 1 9 0 0", b"1 0 0", "3 numbers, not 12"),
        (b'triangles="0 ', b'triangles="', "multiple of three"),
        (b"<Positions>", b"<Positions>x ", "Positions"),
        (b"VertexBuffer", b"Vertices", "0 lists of positions"),
    ],
)
def test_what_does_not_hold_together_is_refused(tmp_path, old, new, words):
    path = written(tmp_path / "a.3dxml", lambda name, content: content.replace(old, new))
    with pytest.raises(FileError, match=words):
        load_parts(path)
