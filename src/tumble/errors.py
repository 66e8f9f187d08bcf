"""Every error that Tumble raises on purpose: a `TumbleError`, and also the built-in error that fits."""

from collections.abc import Iterator
from contextlib import contextmanager


class TumbleError(Exception):
    """The base of every error that Tumble raises on purpose."""


class InputError(TumbleError, ValueError):
    """A value that makes no sense; the message names it and says what to do."""


class MeshError(InputError):
    """Vertices or faces that do not describe a triangle mesh."""


class PoseError(InputError):
    """A pose that is not a rigid motion."""


class RayError(InputError):
    """Rays or a frustum that make no sense."""


class PointError(InputError):
    """Points that make no sense."""


class TreeError(InputError):
    """A hierarchy whose topology, links, triangle order or volumes are wrong."""


class OptionError(InputError):
    """An unknown option name, or options that cannot work together."""


class LimitError(TumbleError, RuntimeError):
    """A query that finds more pairs than one call may, or needs more memory than is free; it says what to do."""


class SimulationError(TumbleError, ArithmeticError):
    """A simulated body without a finite position, or implausibly fast; the message names it."""


class NotAvailableError(TumbleError, NotImplementedError):
    """A call that the original of a stand-in has and Tumble does not yet; the message says what to use."""


class FileError(TumbleError, OSError):
    """A file that is missing, unreadable, empty, truncated or of a foreign format."""


class DeviceError(TumbleError, RuntimeError):
    """No such OpenCL device, no driver, or a device that fails; the message says what there is and what to install."""


class ClusterError(TumbleError, RuntimeError):
    """A cluster that cannot do its work: no workers, other versions, a lost scheduler, a chunk that fails."""


class InternalError(TumbleError, RuntimeError):
    """A fault of Tumble's own, noticed before it became a wrong answer; please report it."""


class ChipError(InternalError):
    """The model of the chip contradicts itself; the message names the unit."""


class MissingDependencyError(TumbleError, ImportError):
    """An optional package is needed and not installed."""


@contextmanager
def said_of(what: str) -> Iterator[None]:
    """Put what an input is called before the message of an `InputError` about it."""
    try:
        yield
    except InputError as error:
        raise type(error)(f"{what}: {error}") from error
