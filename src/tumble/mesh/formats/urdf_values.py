"""What attributes of URDF elements say: numbers, and places."""

from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree.ElementTree import Element

from tumble.errors import FileError, InputError, MissingDependencyError
from tumble.mesh.formats.placing import Matrix
from tumble.mesh.formats.polygons import number_array
from tumble.mesh.pose import compose, rotation, translation


@contextmanager
def said_of(what: str) -> Iterator[None]:
    """Put the element that is at fault before what is wrong with it."""
    try:
        yield
    except (FileError, MissingDependencyError, MemoryError):
        raise
    except Exception as error:  # readers of meshes raise whatever they like on damaged files
        reason = str(error) if isinstance(error, InputError | ValueError) and str(error) else repr(error)
        raise ValueError(f"{what}: {reason}") from error


def numbers(element: Element, name: str, count: int, otherwise: str | None = None) -> list[float]:
    """Return the numbers of an attribute, so many; `otherwise` stands for one that is missing."""
    text = element.get(name, otherwise)
    if text is None:
        raise ValueError(f"<{element.tag[:80]}> has no {name}")
    found: list[float] = number_array(text, float, name).tolist()
    if len(found) != count:
        raise ValueError(f"{name} of <{element.tag[:80]}> has {len(found)} numbers, not {count}")
    return found


def origin_of(element: Element) -> Matrix | None:
    """Return the place that an element states: turned about x, y, z, in this order, then moved."""
    origin = element.find("origin")
    if origin is None:
        return None
    roll, pitch, yaw = numbers(origin, "rpy", 3, "0 0 0")
    matrix = translation(*numbers(origin, "xyz", 3, "0 0 0"))
    if not (roll or pitch or yaw):
        return matrix
    return compose(matrix, rotation("z", yaw), rotation("y", pitch), rotation("x", roll))
