"""What makes no sense is refused, by name, and leaves the world as it was."""

from dataclasses import replace

import numpy as np
import pytest

import tumble
import worlds
from tumble import shapes
from tumble.dynamics import Settings, World
from tumble.errors import InputError, OptionError, PoseError, SimulationError


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"velocity": (0, np.nan, 0)}, "velocity must be three finite numbers"),
        ({"velocity": (0, 0)}, "velocity"),
        ({"spin": "fast"}, "spin must be three numbers"),
        ({"mass": -1}, r"mass must be finite, above 0; found -1"),
        ({"mass": 0}, "mass"),
        ({"density": np.inf}, "density"),
        ({"mass": 1, "density": 1}, "not both"),
        ({"friction": -0.1}, r"friction must be finite, at least 0; found -0.1"),
        ({"restitution": 1.5}, "restitution must be finite, at least 0 and at most 1"),
        ({"restitution": -1}, "restitution"),
        ({"name": 3}, "name of a body must be a string"),
        ({"name": "twin"}, "no other body has; found 'twin'"),
        ({"axle": (0, 0, 0)}, "axle"),
    ],
)
def test_bodies(options, said):
    world = World()
    world.add_body(shapes.box(), name="twin")
    with pytest.raises(InputError, match=said):
        world.add_body(shapes.box(), tumble.translation(5, 0, 0), **options)
    assert world.names == ("twin",)
    world.step()
    world.add_body(shapes.box(), tumble.translation(5, 0, 0))
    world.step()


def test_poses():
    with pytest.raises(PoseError, match="scales"):
        World().add_body(shapes.box(), np.diag([2.0, 2.0, 2.0, 1.0]))


@pytest.mark.parametrize("make", [
    lambda: World(gravity=(0, 0)),
    lambda: World(gravity=(0, 0, np.inf)),
    lambda: World(step=0),
    lambda: World(step=np.nan),
    lambda: World(threads=0),
    lambda: World().add_plane((0, 0, 0)),
    lambda: World().add_plane((0, 0, 1), np.nan),
    lambda: World().add_plane(friction=-1),
    lambda: World().step(-1),
    lambda: World().step(1.5),
])  # fmt: skip
def test_worlds_and_planes(make):
    with pytest.raises(InputError):
        make()


@pytest.mark.parametrize(
    "options",
    [
        {"substeps": 0},
        {"substeps": True},
        {"iterations": 1.5},
        {"slop": -1},
        {"push_speed": np.nan},
        {"fastest": np.inf},
    ],
)
def test_settings(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        Settings(**options)


def test_settings_for_a_size():
    large = Settings.for_size(100.0, substeps=2)
    assert large.slop == pytest.approx(100 * Settings().slop)
    assert large.push_rate == Settings().push_rate
    assert large.substeps == 2
    with pytest.raises(OptionError, match="size"):
        Settings.for_size(0)


def test_unknown_bodies():
    world = World()
    world.add_body(shapes.box(), name="one")
    world.add_body(shapes.box(), tumble.translation(0, 0, 9), static=True)
    for unknown in ("two", 2, -1, None, True):
        with pytest.raises(InputError, match="no body"):
            world.wake(unknown)
    with pytest.raises(InputError, match="static"):
        world.set_velocity(1, (1, 0, 0))
    with pytest.raises(InputError, match="finite"):
        world.set_velocity("one", (1, 0, np.nan))


def test_what_explodes_is_named_and_the_world_is_as_before():
    world = World(settings=Settings(fastest=50.0))
    world.add_plane()
    world.add_body(shapes.box(), tumble.translation(0, 0, 2), name="calm")
    world.add_body(shapes.box(), tumble.translation(5, 0, 2000), name="bullet", velocity=(0, 0, -45))
    world.step(50)
    before = world.snapshot()
    with pytest.raises(SimulationError, match=r"body 'bullet'.*after step \d+.*as before this step"):
        world.step(10)
    assert 50 <= world.steps < 60
    world.restore(before)
    with pytest.raises(SimulationError):
        world.step(10)
    steps, state = world.steps, world.snapshot()
    with pytest.raises(SimulationError):
        world.step()
    assert world.steps == steps
    assert worlds.same_bits(world.snapshot(), state)
    world.set_velocity("bullet", (0, 0, 0))
    world.step()


def test_not_a_number_is_named():
    world = World()
    world.add_body(shapes.box(), name="lost")
    world.bodies.velocity[0, 1] = np.nan
    with pytest.raises(SimulationError, match="body 'lost'"):
        world.step()


def test_a_foreign_snapshot_is_refused():
    world, other = World(), World()
    other.add_body(shapes.box())
    with pytest.raises(InputError, match="1 bodies, the world has 0"):
        world.restore(other.snapshot())


def test_an_empty_world():
    world = World()
    world.step(3)
    assert world.poses().shape == (0, 4, 4)
    assert world.energy() == 0
    assert world.time == pytest.approx(0.03)


def damaged(state, part, **columns):
    return replace(state, **{part: getattr(state, part)._replace(**columns)})


@pytest.mark.parametrize(
    ("part", "column", "change"),
    [
        ("bodies", "position", lambda array: array[:1]),
        ("bodies", "orientation", lambda array: array[:, :3]),
        ("bodies", "inertia", lambda array: array.tolist()),
        ("quiet", "rotation", lambda array: array.astype(np.float32)),
        ("contacts", "body_a", lambda array: array + 1000),
        ("contacts", "body_b", lambda array: array - 1000),
        ("contacts", "points", lambda array: array[:1]),
        ("contacts", "keys", lambda array: array[:1]),
    ],
)
def test_a_damaged_snapshot_changes_nothing(part, column, change):
    world = World()
    world.add_body(shapes.box(), tumble.translation(0, 0, 0.5))
    world.add_plane()
    world.step(3)
    state, before = world.snapshot(), world.positions()
    assert len(state.contacts.keys) > 1
    wrong = damaged(state, part, **{column: change(getattr(getattr(state, part), column))})
    with pytest.raises(InputError, match="snapshot"):
        world.restore(wrong)
    np.testing.assert_array_equal(world.positions(), before)
    with pytest.raises(InputError, match="snapshot"):
        world.restore(None)


@pytest.mark.parametrize("wrong", [[1j, 0, 1], ["1", "2", "3"], [True, False, True], [[1, 2, 3]], "xyz"])
def test_vectors_that_are_no_numbers(wrong):
    with pytest.raises(InputError, match="three numbers"):
        World(np.array(wrong))


def test_a_masked_vector():
    with pytest.raises(InputError, match="three numbers"):
        World(np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]))
