"""The kind and size of what is between two parts."""

import numpy as np
import pytest
from clash_parts import BORED, LEFT, OPEN, PLATE, beside, block, parts, rod

import tumble
from solid_forms import BALL, HOLLOW, SMALL, inverted, joined, moved, soup
from tumble import Mesh, Part, shapes
from tumble.clash import CheckSettings, Kind, check_parts
from tumble.scenario.assembly import tube


def one(settings=None, **meshes):
    (finding,) = check_parts(parts(**meshes), settings).findings
    return finding


def test_flush_blocks_touch():
    found = one(left=LEFT, right=beside(0.0))
    assert (found.kind, found.depth, found.fails, found.gap) == (Kind.TOUCHING, 0.0, False, None)
    assert found.contact_area == pytest.approx(60 * 50, rel=1e-12)
    assert found.point == pytest.approx((100, 30, 25))
    assert found.box == ((100, 0, 0), (100, 60, 50))


@pytest.mark.parametrize("turned_over", [False, True])
def test_area_counts_faces_that_face_each_other(turned_over):
    small = block((100, 10, 10), (120, 30, 20))
    found = one(left=LEFT, right=inverted(small) if turned_over else small)
    assert found.kind is Kind.TOUCHING
    # a mesh that is inside out has its faces turned as well
    assert found.contact_area == pytest.approx(200.0)


def test_blocks_edge_to_edge_have_no_area():
    found = one(left=LEFT, right=block((100, 60, 0), (110, 70, 50)))
    assert (found.kind, found.contact_area) == (Kind.TOUCHING, 0.0)
    assert found.point == pytest.approx((100, 60, 25))


def test_deep_overlap():
    found = one(CheckSettings(tolerance=0.1), left=LEFT, right=beside(20.0))
    assert (found.kind, found.fails) == (Kind.CROSSING, True)
    assert found.depth == pytest.approx(20.0, rel=1e-12)
    assert found.depth_is_exact
    assert 0.1 < found.local_depth <= 20.0
    assert found.direction == pytest.approx((1, 0, 0))
    assert found.volume == pytest.approx(20 * 60 * 50, rel=1e-12)
    assert found.point == pytest.approx((90, 30, 25))
    assert np.array(found.box) == pytest.approx(np.array([[80, 0, 0], [100, 60, 50]]))


def test_a_hair_of_overlap_around_a_wide_hole_is_contact():
    """What is inside is a ring: its hull covers the hole as well, whose edge is 20 000 times the tolerance long."""
    ring = tube(4000.0, 3000.0, 0.0, 1000.0, 24)
    plate = block((-5000, -5000, 1000 - 1e-5), (5000, 5000, 2000))
    found = one(CheckSettings(tolerance=1.0), ring=ring, plate=plate)
    assert (found.kind, found.fails) == (Kind.CONTACT, False)
    found = one(CheckSettings(tolerance=5e-6), ring=ring, plate=plate)
    assert (found.kind, found.fails) == (Kind.PIERCING, True)


def test_a_hair_of_overlap_is_contact_within_the_tolerance():
    within, beyond = CheckSettings(tolerance=0.001), CheckSettings(tolerance=5e-5)
    found = one(within, left=LEFT, right=beside(1e-4))
    assert (found.kind, found.fails) == (Kind.CONTACT, False)
    assert found.depth == pytest.approx(1e-4, rel=1e-6)
    found = one(beyond, left=LEFT, right=beside(1e-4))
    assert (found.kind, found.fails) == (Kind.CROSSING, True)
    assert one(left=LEFT, right=beside(1e-4)).kind is Kind.CROSSING


def test_a_tight_fit_is_contact_though_the_pin_has_to_leave_along_its_axis():
    meshes = {"pin": rod(3.02, -10.0, 20.0), "disc": BORED}
    found = one(CheckSettings(tolerance=0.05), **meshes)
    assert (found.kind, found.fails) == (Kind.CONTACT, False)
    assert 0.0 < found.local_depth < 0.021
    found = one(CheckSettings(tolerance=0.01), **meshes)
    assert (found.kind, found.name_a) == (Kind.PIERCING, "pin")
    assert found.depth is None
    assert found.local_depth == pytest.approx(0.02, rel=0.05)
    # other corners, other numbers of them
    assert one(CheckSettings(tolerance=0.2), pin=rod(3.02, -10.0, 20.0, 17), disc=BORED).kind is Kind.CONTACT


def test_a_tight_fit_with_flush_ends_is_contact():
    found = one(CheckSettings(tolerance=0.05), pin=rod(3.02, 0.0, 5.0), disc=BORED)
    assert found.kind is Kind.CONTACT


def test_bores_in_line_that_overlap_by_a_hair_are_contact():
    """A nut on a plate: within the hair both bores look the same way."""
    nut = moved(tube(8.0, 3.0, 0.0, 5.0, 24), 0, 0, 5.0 - 4e-5)
    assert one(CheckSettings(tolerance=0.05), nut=nut, disc=BORED).kind is Kind.CONTACT
    assert one(CheckSettings(tolerance=1e-5), nut=nut, disc=BORED).kind is not Kind.CONTACT


@pytest.mark.parametrize("offset", [(1e-3, 1e-3, 1e-3), (0.04, 0, 0), (0, 0, 0.04)])
def test_what_is_nearly_in_its_own_place_is_not_a_fit(offset):
    found = one(CheckSettings(tolerance=0.05), left=LEFT, right=moved(LEFT, *offset))
    assert (found.kind, found.fails) == (Kind.CROSSING, True)


def test_a_thin_sheet_deep_in_a_block_is_not_a_fit():
    sheet = block((50, 10, 10), (150, 50, 10.01))
    assert one(CheckSettings(tolerance=0.05), left=LEFT, sheet=sheet).kind in (Kind.CROSSING, Kind.PIERCING)


def test_a_pin_in_a_block_is_inside():
    found = one(block=LEFT, pin=moved(rod(2.0, 5.0, 15.0), 50, 30, 0))
    assert (found.kind, found.name_a, found.name_b, found.fails) == (Kind.INSIDE, "pin", "block", True)
    assert found.volume == pytest.approx(0.5 * 24 * 4 * np.sin(2 * np.pi / 24) * 10)
    assert found.triangle_pairs == 0


def test_inside_holds_where_surfaces_touch():
    found = one(pin=moved(SMALL, 0.5, 0.5, 0.5), block=LEFT)
    assert (found.kind, found.name_a, found.volume) == (Kind.INSIDE, "pin", pytest.approx(1.0))


@pytest.mark.parametrize("copy", [LEFT, soup(LEFT), inverted(LEFT), Mesh(LEFT.vertices[::-1], 7 - LEFT.faces)])
def test_copies_are_duplicates(copy, monkeypatch):
    """Found by their hash: no triangle is tested."""
    monkeypatch.setattr("tumble.clash.check._touching", _no_pairs)
    found = one(first=LEFT, second=copy)
    assert (found.kind, found.fails, found.volume) == (Kind.DUPLICATE, True, pytest.approx(300_000))


def _no_pairs(assembly, candidates, settings, report):
    assert len(candidates.pairs) == 0
    return tumble.query.answer.joined([])


def test_the_same_solid_with_other_triangles_is_a_duplicate():
    finer = tumble.subdivide(LEFT)
    assert one(first=LEFT, second=finer).kind is Kind.DUPLICATE


def test_near_copies_are_duplicates_if_asked_for():
    shifted = moved(BALL, 3e-4, 0, 0)
    assert one(a=BALL, b=shifted).kind is Kind.CROSSING
    assert one(CheckSettings(duplicate_offset=1e-3), a=BALL, b=shifted).kind is Kind.DUPLICATE
    assert one(CheckSettings(duplicate_offset=1e-4), a=BALL, b=shifted).kind is Kind.CROSSING
    other = Mesh(BALL.vertices[::-1], len(BALL.vertices) - 1 - np.roll(BALL.faces, 7, axis=0))
    assert one(CheckSettings(duplicate_offset=1e-3), a=BALL, b=moved(other, 0, 3e-4, 0)).kind is Kind.DUPLICATE


def test_of_many_copies_each_is_listed_once():
    found = check_parts([Part(f"copy-{k}", LEFT) for k in range(5)]).findings
    assert [(one.kind, one.a, one.b) for one in found] == [(Kind.DUPLICATE, 0, k) for k in range(1, 5)]


def test_a_pin_through_a_plate_is_piercing():
    found = one(plate=PLATE, pin=rod(3.0, -10.0, 20.0))
    assert (found.kind, found.name_a, found.name_b) == (Kind.PIERCING, "pin", "plate")
    assert found.volume == pytest.approx(0.5 * 24 * 9 * np.sin(2 * np.pi / 24) * 5)
    assert found.curve_length == pytest.approx(2 * 24 * 2 * 3 * np.sin(np.pi / 24))
    assert one(pin=rod(3.0, -10.0, 20.0), plate=PLATE).name_a == "pin"


@pytest.mark.parametrize(
    "a, b, through",
    [
        (rod(3.0, -10.0, 2.0), PLATE, False),  # ends in the plate
        (moved(shapes.icosphere(2, 4.0), 0, 0, 2.0), PLATE, True),
        (LEFT, beside(20.0), False),
        (moved(shapes.torus(10.0, 1.0), 0, 0, 2.5), block((5, -5, -20), (15, 5, 20)), False),  # a link of a chain
        (joined(rod(1.0, -10, 20), moved(rod(1.0, -10, 2), 8, 0, 0)), block((-9, -9, 0), (40, 30, 5)), True),
        (joined(rod(1.0, -10, 2), moved(rod(1.0, -10, 2), 8, 0, 0)), block((-9, -9, 0), (40, 30, 5)), False),
        (moved(BORED, 3, 5, -2.5), block((-30, -29, -1), (40, 30, 0.5)), True),  # a disc around a part of a slab
        (block((-30, -2, 1), (30, 2, 3)), joined(rod(3.0, -10, 20), moved(rod(3.0, -10, 20), 12, 0, 0)), True),
    ],
)
def test_what_goes_through(a, b, through):
    kinds = {one(a=a, b=b).kind, one(a=b, b=a).kind}
    assert kinds == {Kind.PIERCING if through else Kind.CROSSING}


def test_clearance_is_exact():
    gap = moved(LEFT, 100.5, 0, 0)
    assert check_parts(parts(a=LEFT, b=gap), CheckSettings(clearance=0.5)).findings == []
    found = one(CheckSettings(clearance=np.nextafter(0.5, 1.0)), a=LEFT, b=gap)
    assert (found.kind, found.gap, found.fails) == (Kind.TOO_CLOSE, 0.5, True)
    assert found.point[0] == pytest.approx(100.25)
    # what touches keeps its kind
    assert one(CheckSettings(clearance=2.0), a=LEFT, b=beside(0.0)).kind is Kind.TOUCHING
    assert one(CheckSettings(clearance=2.0), a=LEFT, b=moved(SMALL, 50, 30, 25)).kind is Kind.INSIDE


def test_open_parts_are_surfaces():
    checked = check_parts(parts(lidless=OPEN, pin=moved(SMALL, 50, 30, 25)))
    assert (checked.findings, checked.open_parts) == ([], (0,))
    found = one(lidless=OPEN, block=moved(LEFT, 10, 10, 10))
    assert (found.kind, found.volume) == (Kind.CROSSING, None)
    assert found.curve_length > 0


def test_what_floats_in_a_cavity_is_clear_and_what_fills_the_wall_is_not():
    assert check_parts(parts(hollow=HOLLOW, small=SMALL)).findings == []
    assert one(hollow=HOLLOW, large=shapes.box(3.0)).kind is Kind.CROSSING


def test_a_curved_fit_is_decided_however_many_lines_there_are():
    mould = joined(shapes.box(4.0), inverted(BALL))
    found = one(CheckSettings(lines_each=5), ball=BALL, mould=mould)
    assert (found.kind, found.contact_area) == (Kind.TOUCHING, pytest.approx(_area(BALL)))


def _area(mesh):
    corners = mesh.triangles
    return 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()


def test_memory_for_pieces_grows_as_far_as_it_takes(monkeypatch):
    """The proof of a fit and the local depth begin anew with more memory, and find the same."""
    pieces = {"rod": rod(3.02, -1.0, 9.0), "bored": BORED, "ball": moved(BALL, 30.0, 30.0, 5.0), "block": LEFT}
    usual = check_parts(parts(**pieces), CheckSettings(tolerance=0.05)).findings
    monkeypatch.setattr(tumble.clash.fit, "FEWEST_PIECES", 1)
    monkeypatch.setattr(tumble.solid.overlap.reach, "FEWEST_PIECES", 1)
    assert check_parts(parts(**pieces), CheckSettings(tolerance=0.05)).findings == usual
    assert any(finding.local_depth for finding in usual)
