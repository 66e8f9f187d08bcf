"""The options of every public call, and which engine they choose: `auto` resolved, refusals written from the table.

Options narrow the table one after the other: questions, device, method, tree, settings, counters. The option that
leaves no engine is the one that is refused, with the values that would have left some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

from tumble.core.options import is_cpu, refuse_arrays
from tumble.errors import OptionError
from tumble.query.engine import CALLS, Engine, engines, table_version

AUTO = "auto"


class Options(NamedTuple):
    """How a question is to be answered, and which columns the answer has; the pairs depend on `first` alone."""

    method: str = "auto"
    """the traversal"""
    tree: str = "auto"
    """the kind of tree that it walks"""
    device: str = "cpu"
    """where: cpu, opencl, opencl:0, …"""
    threads: int | None = None
    """how many threads share the work, at most; None: as many as there are cores"""
    first: bool = False
    """stop at the first pair of each query"""
    contacts: bool = False
    """also where and how deep each pair meets"""
    stats: bool = False
    """also what the traversal did"""
    settings: Any = None
    """the parameters of the method: see `tumble.query.settings`"""
    client: Any = None
    """a Dask client, or a `tumble.cluster.Cluster`, whose workers answer; None: this process"""

    def checked(self) -> Options:
        """Refuse arrays, which compare element by element, and return the record with plain truth values."""
        words, flags = (self.method, self.tree, self.device), (self.first, self.contacts, self.stats)
        if set(map(type, words)) == {str} and set(map(type, flags)) == {bool}:
            return self
        named = self._asdict()
        refuse_arrays(**{name: named[name] for name in ("method", "tree", "device", "first", "contacts", "stats")})
        return self._replace(first=bool(self.first), contacts=bool(self.contacts), stats=bool(self.stats))


class Plan(NamedTuple):
    """The engine that answers, and how."""

    engine: Engine
    tree: str
    settings: Any
    tuned: bool


class _Narrowing:
    """The engines that are left, and what has been required of them so far."""

    def __init__(self, questions: Sequence[str]) -> None:
        self.left = [each for each in engines() if all(question in each.questions for question in questions)]
        self.asked = " and ".join(CALLS[question] for question in questions)
        self.given: list[str] = []
        if not self.left:
            raise OptionError(f"no method answers {self.asked} in one call; ask for them one by one")

    def by(
        self, option: str, value: Any, fits: Callable[[Engine], bool], values: Callable[[Engine], Iterable[str]]
    ) -> None:
        """Keep the engines that fit a value, or say which values would do."""
        kept = [each for each in self.left if fits(each)]
        if not kept:
            known = dict.fromkeys(word for each in engines() for word in values(each))
            if option in ("method", "tree") and not (isinstance(value, str) and value in known):
                raise OptionError(f"unknown {option} {value!r}; choose one of: {', '.join(known)}")
            possible = dict.fromkeys(word for each in self.left for word in values(each))
            self.refuse(f"{option}={value!r}", f"{option}= can be: {', '.join(possible)}")
        self.left = kept
        self.given.append(f"{option}={value!r}")

    def refuse(self, what: str, instead: str) -> NoReturn:
        """Refuse what does not go with what was given before it."""
        others = f"with {', '.join(self.given)}" if self.given else f"for {self.asked}"
        raise OptionError(f"{what} cannot be used {others}; {instead}")


def device_kind(device: Any) -> str:
    """Return the kind of a device: "cpu", or "opencl" for all names that are not, which opening it will check."""
    return "cpu" if is_cpu(device) else "opencl"


_known: dict[tuple[Any, ...], Engine] = {}
"""engines by questions and options of earlier calls: the table is small, but queries take microseconds"""


def plan(questions: Sequence[str], options: Options, prepared: Sequence[Any] = ()) -> Plan:
    """Return the engine for all these questions; `prepared` are trees that the user built, with a `volume`."""
    method, tree, settings = options.method, options.tree, options.settings
    if type(method) is str and type(tree) is str:
        volumes = tuple(side.volume for side in prepared)
        given = device_kind(options.device), method, tree, type(settings), options.stats
        key = table_version(), tuple(questions), volumes, given
        engine = _known.get(key)
        if engine is None:
            engine = _known[key] = _chosen(questions, options, prepared)
    else:
        engine = _chosen(questions, options, prepared)
    chosen = engine.settings if settings is None else settings
    return Plan(engine, prepared[0].volume if prepared else tree, chosen, method == AUTO)


def _chosen(questions: Sequence[str], options: Options, prepared: Sequence[Any]) -> Engine:
    table = _Narrowing(questions)
    kind = device_kind(options.device)
    if kind != "cpu":
        table.by("device", options.device, lambda each: each.device == kind, lambda each: [each.device])
    else:
        table.left = [each for each in table.left if each.device == kind]
    method, tree = options.method, options.tree
    if method == AUTO:
        table.left = [each for each in table.left if each.trees]  # brute force only by name
    else:
        table.by("method", method, lambda each: method == each.method, lambda each: [AUTO, each.method])
    for side in prepared:
        _narrow_by_tree(table, side)
        if tree not in (AUTO, side.volume):
            raise OptionError(f"tree={tree!r} does not fit the given {side!r}; leave tree='auto'")
        if side.volume != prepared[0].volume:
            volumes = f"{prepared[0].volume!r} and {side.volume!r}"
            raise OptionError(f"the trees have different volumes, {volumes}; build both with one")
    if tree != AUTO:
        table.by("tree", tree, lambda each: tree in each.trees, lambda each: (AUTO, *each.trees))
    if options.settings is not None:
        given = type(options.settings)
        table.by("settings", options.settings, lambda each: type(each.settings) is given, _settings_name)
    if options.stats:
        counting = [each for each in table.left if all(question in each.counts for question in questions)]
        if not counting:
            able = dict.fromkeys(each.method for each in engines() if all(q in each.counts for q in questions))
            others = f"with {', '.join(table.given)}" if table.given else "by default"
            methods = f"stats=True can be used with methods: {', '.join(able) or 'none'}"
            raise OptionError(f"{table.asked} are not counted {others}; {methods}")
        table.left = counting
    return table.left[0]


def _settings_name(engine: Engine) -> list[str]:
    return ["None"] if engine.settings is None else ["None", f"tumble.{type(engine.settings).__name__}(...)"]


def _narrow_by_tree(table: _Narrowing, side: Any) -> None:
    """Keep the engines that walk a tree which the user built."""
    kept = [each for each in table.left if each.prepared and (not each.trees or side.volume in each.trees)]
    if not kept:
        able = dict.fromkeys(word for each in table.left if each.prepared for word in each.trees)
        table.refuse(repr(side), f"prepared trees can be: {', '.join(able)}" if able else "pass the mesh instead")
    table.left = kept
    table.given.append(f"the given {side!r}")
