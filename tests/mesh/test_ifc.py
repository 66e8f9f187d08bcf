"""Buildings: read once IfcOpenShell is there, by a process that may crash without harm."""

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest

from tumble.errors import FileError, MissingDependencyError
from tumble.mesh import load_assembly, load_parts
from tumble.mesh.edges import edges_of

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
HEAD = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
FRAME = HEAD + "FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n"
# a wall of 4000 × 200 × 3000 mm with a hole of 1000 × 200 × 2000, and a room, two metres up on the first floor
WALL = """#1=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#2=IFCUNITASSIGNMENT((#1));
#3=IFCCARTESIANPOINT((0.,0.,0.));
#4=IFCAXIS2PLACEMENT3D(#3,$,$);
#5=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#4,$);
#6=IFCPROJECT('0000000000000000000001',$,'project',$,$,$,$,(#5),#2);
#7=IFCCARTESIANPOINT((0.,0.,2000.));
#8=IFCAXIS2PLACEMENT3D(#7,$,$);
#9=IFCLOCALPLACEMENT($,#8);
#10=IFCBUILDING('0000000000000000000002',$,'house',$,$,$,$,$,.ELEMENT.,$,$,$);
#11=IFCBUILDINGSTOREY('0000000000000000000003',$,'first floor',$,$,#9,$,$,.ELEMENT.,2000.);
#12=IFCRELAGGREGATES('0000000000000000000004',$,$,$,#6,(#10));
#13=IFCRELAGGREGATES('0000000000000000000005',$,$,$,#10,(#11));
#14=IFCDIRECTION((0.,0.,1.));
#15=IFCCARTESIANPOINT((2000.,100.));
#16=IFCAXIS2PLACEMENT2D(#15,$);
#17=IFCRECTANGLEPROFILEDEF(.AREA.,$,#16,4000.,200.);
#18=IFCEXTRUDEDAREASOLID(#17,#4,#14,3000.);
#19=IFCSHAPEREPRESENTATION(#5,'Body','SweptSolid',(#18));
#20=IFCPRODUCTDEFINITIONSHAPE($,$,(#19));
#21=IFCLOCALPLACEMENT(#9,#4);
#22=IFCWALL('0000000000000000000006',$,'<wall>',$,$,#21,#20,$,$);
#23=IFCRECTANGLEPROFILEDEF(.AREA.,$,#16,1000.,400.);
#24=IFCEXTRUDEDAREASOLID(#23,#4,#14,2000.);
#25=IFCSHAPEREPRESENTATION(#5,'Body','SweptSolid',(#24));
#26=IFCPRODUCTDEFINITIONSHAPE($,$,(#25));
#27=IFCOPENINGELEMENT('0000000000000000000007',$,'hole',$,$,#21,#26,$,$);
#28=IFCRELVOIDSELEMENT('0000000000000000000008',$,$,$,#22,#27);
#29=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000009',$,$,$,(#22,#31),#11);
#30=IFCPRODUCTDEFINITIONSHAPE($,$,(#19));
#31=IFCWALL('000000000000000000000A',$,$,$,$,#21,#30,$,$);
"""

with_ifcopenshell = pytest.mark.skipif(
    importlib.util.find_spec("ifcopenshell") is None, reason="IfcOpenShell is not installed"
)


def real(name):
    path = MESHES / "bim" / name
    if not path.exists():
        pytest.skip("the folder of real meshes is not here")
    return path


def volume(mesh):
    a, b, c = mesh.triangles.transpose(1, 0, 2)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def test_without_ifcopenshell_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (tmp_path / "a.ifc").write_text(FRAME.format(""))
    with pytest.raises(MissingDependencyError, match=r"pip install 'tumble\[ifc\]'"):
        load_parts(tmp_path / "a.ifc")


@with_ifcopenshell
@pytest.mark.process
def test_elements_are_parts_with_their_openings_cut_out(tmp_path):
    path = tmp_path / "house.ifc"
    path.write_text(FRAME.format(WALL))
    found = load_assembly(path)
    wall, plain = found.parts
    assert (wall.name, wall.kind, wall.guid) == ("<wall>", "IfcWall", "0000000000000000000006")
    assert (plain.name, plain.group) == ("IfcWall", "house/first floor")
    assert found.units == "m"
    assert found.notes == ["house.ifc: not bodies, and left out: 1 IfcOpeningElement."]
    assert np.allclose(wall.mesh.bounds, [[0, 0, 2], [4, 0.2, 5]])
    assert volume(plain.mesh) == pytest.approx(4 * 0.2 * 3)
    assert volume(wall.mesh) == pytest.approx(4 * 0.2 * 3 - 1 * 0.2 * 2)
    assert edges_of(wall.mesh).closed
    assert wall.shape != plain.shape


@with_ifcopenshell
@pytest.mark.parametrize(
    "text",
    [
        FRAME.format(WALL)[:-20],
        FRAME.format(WALL).replace("ISO-10303-21;\nHEADER", "HEADER", 1),
        FRAME.format(WALL).replace("IFC4", "IFC99"),
        FRAME.format(WALL).replace("4000.,200.", "1.E400,200."),
        FRAME.format("#1=NONSENSE(#2,$);\n"),
        FRAME.format(""),
    ],
    ids=["truncated", "no start", "unknown schema", "infinite", "nonsense", "empty"],
)
@pytest.mark.process
def test_damaged_files(tmp_path, text):
    (tmp_path / "a.ifc").write_text(text)
    with pytest.raises(FileError, match=r"a\.ifc"):
        load_parts(tmp_path / "a.ifc")


@with_ifcopenshell
@pytest.mark.slow  # without work for the processor, but seconds for IfcOpenShell to start
def test_a_storey_inside_itself_and_a_placement_of_itself(tmp_path):
    (tmp_path / "a.ifc").write_text(FRAME.format(WALL.replace("#10,(#11)", "#11,(#11)")))
    assert len(load_parts(tmp_path / "a.ifc")) == 2
    (tmp_path / "b.ifc").write_text(
        FRAME.format(WALL.replace("#21=IFCLOCALPLACEMENT(#9,#4)", "#21=IFCLOCALPLACEMENT(#21,#4)"))
    )
    with pytest.raises(FileError, match=r"b\.ifc"):
        load_parts(tmp_path / "b.ifc")


@with_ifcopenshell
@pytest.mark.slow
def test_buildings_with_origins_of_their_own_stand_side_by_side():
    names = ["Building-Structural.ifc", "Infra-Rail.ifc"]
    found = load_assembly([real(name) for name in names])
    assert len(found.parts) == 16 + 73
    assert all(edges_of(part.mesh).closed for part in found.parts)
    assert len({part.shape for part in found.parts}) == 16 + 6
    assert found.notes == ["Infra-Rail.ifc: moved to where it is on the map, seen from Building-Structural.ifc."]
    # both files hold the same mark, at the same place of the map
    marks = [part.mesh for part in found.parts if part.guid == "3Fit2Fad92zf2f6aWdJtF5"]
    assert len(marks) == 2
    assert np.abs(marks[0].bounds - marks[1].bounds).max() < 1e-6
    sleepers = [part for part in found.parts if part.kind == "IfcTrackElement"]
    assert len(sleepers) == 66
    assert {part.group for part in sleepers} > {"Rail"} or all("Rail" in part.group for part in sleepers)
