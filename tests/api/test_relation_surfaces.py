"""`tumble.relation` of open meshes, which are surfaces without an inside."""

import numpy as np
import pytest

import tumble
from covering import sized
from solid_forms import BOX, FORMS, HOLLOW, SMALL, box, inverted, joined, moved, soup
from solid_oracle import mirrored
from solid_sheets import grid_relation, moved_alike, random_sheet, random_solid, sheet_relation
from tumble import Mesh, MeshError, OptionError, rotation, shapes, translation
from tumble.mesh.edges import edges_of

SQUARE = Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
UPRIGHT = tumble.transformed(SQUARE, rotation("x", np.pi / 2))


def without_lid(mesh):
    """An open box: the faces on top are left out."""
    return Mesh(mesh.vertices, mesh.faces[(mesh.triangles[:, :, 2] < mesh.vertices[:, 2].max()).any(axis=1)])


OPEN_BOX, OPEN_SMALL = without_lid(BOX), without_lid(SMALL)
THROUGH = box((-0.25, -0.25, -3), (0.25, 0.25, 3))

FORMS_OF_SURFACES = {
    "an open part in a block": (OPEN_SMALL, BOX, "a_inside_b", "a_is_surface"),
    "a part in an open one": (OPEN_BOX, SMALL, "apart", "a_is_surface"),
    "open in open": (OPEN_SMALL, OPEN_BOX, "apart", "surfaces"),
    "an open part in the void": (OPEN_SMALL, HOLLOW, "apart", "a_is_surface"),
    "an open part in the wall": (moved(without_lid(shapes.box(0.25)), 1.5, 0, 0), HOLLOW, "a_inside_b", "a_is_surface"),
    "a sheet through a block": (SQUARE, moved(BOX, 1, 0, 0), "crossing", "a_is_surface"),
    "a sheet on a block": (moved(SQUARE, 0, 0, 1), BOX, "touching", "a_is_surface"),
    "a sheet that ends in a wall": (SQUARE, box((1, -1, -1), (2, 1, 1)), "touching", "a_is_surface"),
    "a sheet flush from within": (SQUARE, BOX, "a_inside_b", "a_is_surface"),
    "an open part flush from within": (moved(OPEN_SMALL, 0.5, 0, 0), BOX, "a_inside_b", "a_is_surface"),
    "several sheets, one inside": (joined(SQUARE, moved(SQUARE, 0, 0, 7)), shapes.box(3.0), "crossing", "a_is_surface"),
    "sheets that cross": (SQUARE, UPRIGHT, "crossing", "surfaces"),
    "sheets that end in each other": (SQUARE, moved(UPRIGHT, 0, 0, 1), "touching", "surfaces"),
    "sheets edge to edge": (SQUARE, moved(SQUARE, 2, 0, 0), "touching", "surfaces"),
    "sheets in one plane": (SQUARE, moved(SQUARE, 1, 0.5, 0), "touching", "surfaces"),
    "one sheet twice": (SQUARE, inverted(SQUARE), "equal", "surfaces"),
    "one sheet, cut otherwise": (SQUARE, tumble.subdivide(SQUARE), "equal", "surfaces"),
    "one sheet in separate triangles": (SQUARE, soup(SQUARE), "equal", "surfaces"),
    "a bar through an open box": (THROUGH, OPEN_BOX, "crossing", "b_is_surface"),
    "open boxes that cross": (OPEN_BOX, moved(OPEN_BOX, 1, 0.5, 0.25), "crossing", "surfaces"),
    "open boxes face to face": (OPEN_BOX, moved(OPEN_BOX, 2, 0, 0), "touching", "surfaces"),
    "sheets apart": (SQUARE, moved(SQUARE, 0, 0, 1), "apart", "surfaces"),
}


def check(a, b, expected, rule, **options):
    found, back = tumble.relation(a, b, **options), tumble.relation(b, a, **options)
    assert (found.relation, found.rule) == (expected, rule)
    swapped = {"a_is_surface": "b_is_surface", "b_is_surface": "a_is_surface"}
    assert (back.relation, back.rule) == (found.relation.mirrored, swapped.get(rule, rule))
    assert (found.triangles is not None) == tumble.collides(a, b)


@pytest.mark.parametrize("name", FORMS_OF_SURFACES)
def test_forms(name):
    check(*FORMS_OF_SURFACES[name])


@pytest.mark.parametrize("name", FORMS_OF_SURFACES)
def test_a_surface_is_its_faces_with_their_backs(name):
    """Those bound no volume: a judge by the rule for solids, except where two surfaces cross."""
    a, b, expected, rule = FORMS_OF_SURFACES[name]
    if rule == "surfaces" and expected == "crossing":
        expected = "touching"
    doubled = [each if edges_of(each).closed else joined(each, inverted(each)) for each in (a, b)]
    assert tumble.relation(*doubled, solid=True).relation == expected


@sized(20, 3000)
def test_sheets_and_solids_against_a_judge(count):
    relations = set()
    for seed in range(count):
        rng = np.random.default_rng([seed, 18])
        (sheet, of_sheet), (solid, of_solid) = random_sheet(rng), random_solid(rng)
        a, b = moved_alike(rng, sheet, solid)
        if edges_of(Mesh(*a)).closed:
            continue
        expected = grid_relation(of_sheet, of_solid)
        found = tumble.relation(a, b)
        assert (found.relation, found.rule) == (expected, "a_is_surface"), seed
        assert tumble.relation(b, a).relation == mirrored(expected), seed
        relations.add(expected)
    assert relations >= {"crossing", "touching", "a_inside_b"}


@sized(20, 3000)
def test_two_sheets_against_a_judge(count):
    relations = set()
    for seed in range(count):
        rng = np.random.default_rng([seed, 19])
        (one, of_one), (other, of_other) = random_sheet(rng), random_sheet(rng)
        a, b = moved_alike(rng, one, other)
        expected = sheet_relation(of_one, of_other)
        assert tumble.relation(a, b, solid=False).relation == expected, seed
        assert tumble.relation(b, a, solid=False).relation == expected, seed
        relations.add(expected)
    assert relations >= {"crossing", "touching", "apart"}


def test_surfaces_of_solids():
    for name, expected in (
        ("concentric boxes", "apart"),
        ("face to face", "touching"),
        ("overlap", "crossing"),
        ("a cross of bars", "crossing"),
        ("duplicates", "equal"),
        ("subdivided", "equal"),
        ("flush from within", "touching"),
        ("in the void", "apart"),
        ("no triangles", "apart"),
    ):
        a, b, _ = FORMS[name]
        check(a, b, expected, "surfaces", solid=False)


def test_a_surface_that_passes_through_in_a_flat_strip_touches():
    """Crossing is told from what is around single segments."""
    strip = Mesh(
        [[-1, -1, 1], [-1, 1, 1], [-0.5, -1, 0], [-0.5, 1, 0], [0.5, -1, 0], [0.5, 1, 0], [1, -1, -1], [1, 1, -1]],
        [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5], [4, 6, 5], [5, 6, 7]],
    )
    check(strip, SQUARE, "touching", "surfaces")


def test_solids_are_asked_for():
    for a, b, name in ((OPEN_BOX, BOX, "a"), (BOX, OPEN_BOX, "b")):
        message = rf"mesh {name} has \d open edges .* between vertex \d at \(.*\) and vertex \d at .*solid=True needs"
        with pytest.raises(MeshError, match=message):
            tumble.relation(a, b, solid=True)
        with pytest.raises(MeshError, match=message):
            tumble.relation_many(a, b, [np.eye(4)], solid=True)
    with pytest.raises(OptionError, match="solid must be None, True or False"):
        tumble.relation(BOX, BOX, solid="yes")


def test_many_poses_and_posed_surfaces():
    poses = [translation(x, 0, 0) for x in (0, 0.5, 1, 1.5, 2)]
    expected = ["b_inside_a", "b_inside_a", "crossing", "touching", "apart"]
    found = tumble.relation_many(BOX, OPEN_SMALL, poses)
    assert [(each.relation, each.rule) for each in found] == [(each, "b_is_surface") for each in expected]
    surfaces = tumble.relation_many(BOX, SMALL, poses, solid=False)
    assert [each.relation for each in surfaces] == ["apart", "touching", "crossing", "touching", "apart"]
    pose = tumble.mesh.random_pose(5, 3.0)
    assert tumble.relation(SQUARE, UPRIGHT, pose, pose).relation == "crossing"
    assert tumble.relation(OPEN_SMALL, BOX, pose, pose).relation == "a_inside_b"
