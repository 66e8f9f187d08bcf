"""What the host code needs from a cluster: its workers, items that travel once, tasks, and what came of them.

`tumble.cluster.dask_connection` implements it for a Dask client, and so does a connection of the tests, which needs no
Dask and fails on demand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple

Task = Hashable
"""a task that was submitted; the connection knows more about it"""


class Outcome(NamedTuple):
    """What came of a task."""

    task: Task
    value: Any = None
    error: BaseException | None = None
    lost: bool = False
    """whether the task failed because items that it needs are gone with their workers: share them again"""
    worker: str = ""
    """where it failed, if that is known"""


class Connection(ABC):
    """A cluster as its user sees it. All methods raise ClusterError if the scheduler does not answer."""

    address: str
    """of the scheduler"""

    @abstractmethod
    def threads(self) -> dict[str, int]:
        """Return how many tasks each worker runs at a time, by the address of the worker."""

    @abstractmethod
    def everywhere(self, function: Callable[[], Any], workers: Sequence[str]) -> dict[str, Any]:
        """Call a function on some workers; return what it returned, or the error that it raised, by address."""

    @abstractmethod
    def share(self, item: Any) -> Any:
        """Send an item to all workers and return a handle, which stands for it among the arguments of tasks."""

    @abstractmethod
    def submit(self, function: Callable[..., Any], arguments: tuple[Any, ...], done: SimpleQueue[Task]) -> Task:
        """Have a worker call a function that does not return None; its task is put into the queue at its end."""

    @abstractmethod
    def submit_to(
        self, worker: str, function: Callable[..., Any], arguments: tuple[Any, ...], done: SimpleQueue[Task]
    ) -> Task:
        """Have one worker call a function; another one if that is gone."""

    @abstractmethod
    def outcomes(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return what came of tasks that are over, and forget them."""

    @abstractmethod
    def cancel(self, tasks: Sequence[Task]) -> None:
        """Give tasks up; those that run go on to their end, and nobody hears of them. Never raises."""

    @abstractmethod
    def trouble(self) -> str | None:
        """Return why nothing more can be expected of the scheduler, or None."""

    @abstractmethod
    def close(self) -> None:
        """Leave the cluster; what was started with the connection ends. Never raises."""
