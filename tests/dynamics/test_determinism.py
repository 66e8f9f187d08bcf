"""The same world gives the same bits, for any number of threads and after going back."""

import numpy as np

import tumble
import worlds
from covering import sized
from tumble import shapes
from tumble.dynamics import World


def crowd(threads=None):
    world = World(threads=threads)
    world.add_plane()
    rng = np.random.default_rng(7)
    for k in range(12):
        mesh = (shapes.box(0.5), shapes.icosphere(1, 0.3), shapes.torus(0.3, 0.1, 12, 8))[k % 3]
        where = tumble.translation(0.5 * (k % 2), 0.5 * (k // 2 % 2), 0.5 + 0.9 * (k // 4))
        world.add_body(mesh, where @ tumble.rotation(rng.standard_normal(3), rng.uniform(0, 6)), mass=1.0)
    return world


@sized(45, 120)
def test_threads_make_no_difference(count):
    states = []
    for threads in (1, 2, 5):
        world = crowd(threads)
        world.step(count)
        states.append(world.snapshot())
    assert len(states[0].contacts.keys) > 20
    assert worlds.same_bits(states[0], states[1])
    assert worlds.same_bits(states[0], states[2])


@sized(30, 40)
def test_one_step_at_a_time_or_many_at_once(count):
    one, many = crowd(), crowd()
    for _ in range(count):
        one.step()
    many.step(count)
    assert worlds.same_bits(one.snapshot(), many.snapshot())


@sized(20, 50)
def test_back_to_a_snapshot_and_on_again(count):
    world = crowd()
    world.step(25 + count)
    state = world.snapshot()
    world.step(count)
    first = world.snapshot()
    world.restore(state)
    assert worlds.same_bits(world.snapshot(), state)
    world.step(count)
    assert worlds.same_bits(world.snapshot(), first)

    other = crowd()
    other.restore(state)
    other.step(count)
    assert worlds.same_bits(other.snapshot(), first)


def test_a_snapshot_is_a_copy():
    world = crowd()
    state = world.snapshot()
    before = state.bodies.position.copy()
    world.step(5)
    np.testing.assert_array_equal(state.bodies.position, before)
    world.restore(state)
    world.step(5)
    np.testing.assert_array_equal(state.bodies.position, before)
