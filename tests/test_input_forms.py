"""Every public call gives one answer to the same numbers in whatever array they come, or says clearly what is wrong."""

import inspect
import re
import types
from functools import cache

import numpy as np
import pytest

import tumble
import tumble.chip
import tumble.compat.trimesh
import tumble.dynamics
import tumble.dynamics.manifold
import tumble.hierarchy.implicit
import tumble.mesh
import tumble.robot
from input_forms import OTHER_KINDS, SAME_NUMBERS, CountingExporter, zero_strided
from public_calls import CALLS
from tumble.errors import TumbleError

MODULES = (
    tumble,
    tumble.dynamics,
    tumble.compat.trimesh,
    tumble.chip,
    tumble.mesh,
    tumble.hierarchy.implicit,
    tumble.dynamics.manifold,
    tumble.robot,
)
TAKES_ARRAYS = re.compile(r"\b(ArrayLike|NDArray|ndarray|_SupportsArray|MeshLike|Mesh|Part|Any)\b")
# made by Tumble from arrays that it knows: what they hold is not input
RESULTS = {
    "tumble.BodiesImpact", "tumble.BodyPenetration", "tumble.Curve", "tumble.Impact", "tumble.Impacts", "tumble.Motion",
    "tumble.Assembly", "tumble.LocalDepth", "tumble.Penetration",
    "tumble.BodiesNearest", "tumble.Candidates", "tumble.Clearance", "tumble.ClosestPoints", "tumble.Collision",
    "tumble.Collisions", "tumble.Containment", "tumble.ElementImpacts", "tumble.MeshCollisions", "tumble.Nearest",
    "tumble.NearestMany", "tumble.PairContacts", "tumble.Part", "tumble.RayHits", "tumble.SignedDistances",
    "tumble.StepContacts",
    "tumble.chip.ChipRun", "tumble.chip.Memory",
    "tumble.dynamics.Contacts", "tumble.dynamics.Mass", "tumble.dynamics.State",
    "tumble.dynamics.manifold.Manifolds", "tumble.dynamics.manifold.Surfaces",
    "tumble.hierarchy.implicit.Layout", "tumble.hierarchy.implicit.layout_of", "tumble.mesh.apply_pose",
    "tumble.robot.Kinematics", "tumble.robot.Robot",
    "tumble.compat.trimesh.ContactData", "tumble.compat.trimesh.DistanceData",
}  # fmt: skip
# `candidates` passes everything on to `tumble.candidates`
PASSED_ON = {"tumble.Deformable.candidates"}


def public_callables():
    """Every public function, constructor and method, by the first module that has it."""
    found = {}
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            path = f"{module.__name__}.{name}"
            if any(thing is known for known in found.values()):
                continue
            if isinstance(thing, type) and not issubclass(thing, Exception):
                found[path] = thing
                methods = [key for kind in _ours(thing) for key, value in vars(kind).items() if _is_method(key, value)]
                found.update({f"{path}.{key}": getattr(thing, key) for key in methods})
            elif isinstance(thing, types.FunctionType):
                found[path] = thing
    return found


def _ours(thing):
    """A class and the classes that it inherits from, as far as they are Tumble's."""
    return [kind for kind in thing.__mro__ if kind.__module__.startswith("tumble.")]


def _is_method(name, value):
    return not name.startswith("_") and isinstance(value, types.FunctionType | classmethod | staticmethod)


def array_parameters(function):
    parameters = inspect.signature(function).parameters.values()
    kinds = [(each.name, str(each.annotation)) for each in parameters if each.kind is not each.VAR_KEYWORD]
    return {name for name, kind in kinds if TAKES_ARRAYS.search(kind)}


def test_every_public_call_that_takes_arrays_is_in_the_table():
    taking = {path: array_parameters(function) for path, function in public_callables().items()}
    due = {path: names for path, names in taking.items() if names and path not in RESULTS | PASSED_ON}
    assert {path: set(call.arguments) for path, call in CALLS.items()} == due
    assert set(taking) >= RESULTS | PASSED_ON


def places(value):
    """Where the arrays of an argument are: itself, the two of a mesh, or those of all items of a list."""
    if isinstance(value, np.ndarray):
        return [()]
    return [(k, *place) for k, item in enumerate(value) for place in places(item)]


def replaced(value, place, form):
    """The argument with one of its arrays in another form."""
    if not place:
        return form(value)
    items = [replaced(item, place[1:], form) if k == place[0] else item for k, item in enumerate(value)]
    return type(value)(items)


def array_at(value, place):
    return array_at(value[place[0]], place[1:]) if place else value


def listed(answer):
    return [item for each in answer for item in listed(each)] if isinstance(answer, list | tuple) else [answer]


def assert_same(found, expected):
    found, expected = listed(found), listed(expected)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None)


def argument_id(path, name, place):
    return f"{path}:{name}{''.join(f'[{k}]' for k in place)}"


ARGUMENTS = [
    pytest.param(path, name, place, id=argument_id(path, name, place))
    for path, call in CALLS.items()
    for name, value in call.arguments.items()
    for place in places(value)
]

HALF = [pytest.param(*each.values, id=each.id, marks=[pytest.mark.slow] * (k % 2)) for k, each in enumerate(ARGUMENTS)]
# every argument in one form of nine, and by turns: neighbours in the table have all forms between them
PART = 9


@cache
def plain_answer(path):
    return CALLS[path].ask(**CALLS[path].arguments)


def ask(path, name, place, form):
    call = CALLS[path]
    return call.ask(**{**call.arguments, name: replaced(call.arguments[name], place, form)})


@pytest.mark.parametrize("part", [PART, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("path", "name", "place"), ARGUMENTS)
def test_the_form_of_an_array_does_not_matter(path, name, place, part):
    call, expected = CALLS[path], plain_answer(path)
    array = array_at(call.arguments[name], place)
    same_numbers = array.dtype.kind in "iu" or (array == np.rint(array)).all()
    forms = {**SAME_NUMBERS, **(OTHER_KINDS if same_numbers else {})}
    turn = [each.id for each in ARGUMENTS].index(argument_id(path, name, place)) % part
    for kind, form in list(forms.items())[turn::part]:
        may_refuse = call.strict or (array.dtype.kind in "iu" and kind in OTHER_KINDS)
        try:
            found = ask(path, name, place, form)
        except TumbleError:
            assert may_refuse, kind
            continue
        except Exception as error:
            raise AssertionError(f"{kind}: {type(error).__name__} is no error of Tumble: {error}") from error
        try:
            assert_same(found, expected)
        except AssertionError as error:
            raise AssertionError(f"{kind}: {error}") from error


@pytest.mark.parametrize(("path", "name", "place"), HALF)
def test_rows_that_share_memory_are_rows(path, name, place):
    """A zero-strided array and its plain copy have the same answer, or the same error."""

    def outcome(form):
        try:
            return ask(path, name, place, form)
        except TumbleError as error:
            return str(error)

    assert_same(outcome(zero_strided), outcome(lambda array: np.array(zero_strided(array))))


@pytest.mark.parametrize(("path", "name", "place"), ARGUMENTS)
def test_an_argument_is_read_once(path, name, place):
    """What is read twice may have changed in between, and the check would be of other numbers than the answer."""
    given = []
    ask(path, name, place, lambda array: given.append(CountingExporter(array)) or given[0])
    assert given[0].reads == CALLS[path].times
