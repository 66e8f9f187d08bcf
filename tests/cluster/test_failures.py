"""What goes wrong on a cluster is a right answer or a clear error; without Dask."""

import time

import numpy as np
import pytest
from cluster_cases import COUNT, KNOT, RING, poses, same
from fake_connection import FakeConnection, Lost, handles_of

import tumble
import tumble.cluster.run as run
from tumble.cluster import Cluster
from tumble.cluster.greeting import compare, own_facts
from tumble.cluster.task import Packet, run_chunk
from tumble.errors import ClusterError, LimitError


@pytest.fixture
def connection():
    found = FakeConnection()
    yield found
    found.close()


def asked(connection, **how):
    return tumble.collide_many(KNOT, RING, poses(1), first=False, client=Cluster(connection, chunk_rows=5, **how))


def expected():
    return tumble.collide_many(KNOT, RING, poses(1), first=False)


def test_items_that_are_lost_with_their_workers_travel_again(connection):
    asked(connection)
    shared = len(connection.shared)
    for handle in handles_of(Cluster(connection)):
        handle[0] = Lost()
    same(asked(connection), expected())
    assert len(connection.shared) == shared + 1


def test_items_travel_once(connection):
    for _ in range(3):
        asked(connection)
    assert len(connection.shared) == 1


def test_items_that_are_lost_again_and_again(connection, monkeypatch):
    monkeypatch.setattr(connection, "share", lambda item: [Lost()])
    with pytest.raises(ClusterError, match="items are lost"):
        asked(connection)


def test_a_chunk_that_fails_is_named_and_the_rest_is_cancelled(connection):
    def fail(number, rows):
        if number == 7:
            raise ZeroDivisionError("seven")

    connection.before_chunk = fail
    with pytest.raises(ClusterError, match=r"pairs of bodies 35 to 39 failed on the cluster: ZeroDivisionError: seven"):
        asked(connection)
    assert 0 < len(connection.chunks) < COUNT // 5
    assert set(connection.cancelled) <= set(connection.chunks)


def test_errors_of_tumble_keep_their_kind(connection):
    def fail(number, rows):
        raise LimitError("there are more than 7 touching pairs")

    connection.before_chunk = fail
    with pytest.raises(LimitError, match=r"pairs of bodies \d+ to \d+: there are more than 7"):
        asked(connection)


def test_pairs_of_all_chunks_count(connection, monkeypatch):
    monkeypatch.setattr("tumble.core.limits.Limits.max_pairs", property(lambda self: 65536, lambda self, pairs: None))
    many = np.tile(np.eye(4), (400, 1, 1))
    with pytest.raises(LimitError, match="65536"):
        tumble.collide_many(KNOT, KNOT, many, first=False)
    with pytest.raises(LimitError, match="65536"):
        tumble.collide_many(KNOT, KNOT, many, first=False, client=Cluster(connection, chunk_rows=5))


def test_another_version_is_refused_before_the_work(connection):
    connection.facts = lambda function: {**function(), "Tumble": "0.0.9", "numpy": "1.0"}
    with pytest.raises(ClusterError, match=rf"Tumble is 0\.0\.9 there and {tumble.__version__} here"):
        asked(connection)
    assert (connection.chunks, connection.shared) == ([], [])


@pytest.mark.parametrize("name", own_facts())
def test_all_that_may_change_bits_is_compared(name):
    compare("a", own_facts(), own_facts())
    with pytest.raises(ClusterError, match=f"the worker a differs: {name} is other there"):
        compare("a", {**own_facts(), name: "other"}, own_facts())


@pytest.mark.parametrize("name", ["Tumble", "numpy", "the processor"])
def test_a_worker_that_comes_later_compares_itself(name):
    packet = Packet(dict, None, [], [], {**own_facts(), name: "other"}, 1)
    with pytest.raises(ClusterError, match=f"the worker on .* differs: {name} is .* there and other here"):
        run_chunk(packet)


def test_a_worker_that_cannot_answer(connection):
    connection.facts = lambda function: RuntimeError("no such thing")
    with pytest.raises(ClusterError, match="cannot say which Tumble it has: no such thing"):
        asked(connection)


def test_no_workers(connection):
    connection.workers = {}
    with pytest.raises(ClusterError, match="there are no workers at the scheduler fake://scheduler"):
        asked(connection)


def test_workers_that_died_after_the_last_question_are_waited_for(connection, monkeypatch):
    asked(connection)
    workers, looks = connection.workers, []
    monkeypatch.setattr(connection, "threads", lambda: looks.append(1) or (workers if len(looks) > 4 else {}))
    same(asked(connection), expected())
    monkeypatch.setattr(run, "WORKERS_PATIENCE", 0.2)
    monkeypatch.setattr(connection, "threads", dict)
    with pytest.raises(ClusterError, match="no workers left"):
        asked(connection)


@pytest.mark.parametrize("gone", ["the scheduler", "the workers"])
def test_what_goes_away_is_noticed(connection, monkeypatch, gone):
    monkeypatch.setattr(run, "PATIENCE", 0.05)
    monkeypatch.setattr(run, "WORKERS_PATIENCE", 0.2)

    def leave(number, rows):
        if number == 4:
            connection.gone = "it is gone" if gone == "the scheduler" else ""
            connection.workers = {}
            if gone == "the workers":
                monkeypatch.setattr(connection, "trouble", lambda: None)

    connection.before_chunk = leave
    started = time.monotonic()
    with pytest.raises(ClusterError, match="it is gone" if gone == "the scheduler" else "no workers left"):
        asked(connection)
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("raised", [KeyboardInterrupt, RuntimeError("of the report")])
def test_what_interrupts_cancels_what_is_in_flight(connection, raised):
    def report(what, done, total):
        if what.startswith("pairs") and done >= 20:
            raise raised

    with pytest.raises((KeyboardInterrupt, RuntimeError)):
        asked(connection, report=report)
    assert connection.cancelled
    assert len(connection.chunks) < COUNT // 5


def test_a_reader_that_stops_reading_cancels_the_rest(connection):
    parts = tumble.collide_chunks(KNOT, RING, poses(1), client=Cluster(connection, chunk_rows=1))
    next(parts)
    parts.close()
    assert connection.cancelled
    assert len(connection.chunks) < COUNT


def test_workers_that_come_later_get_chunks_too(connection, monkeypatch):
    monkeypatch.setattr(run, "LOOK_SECONDS", 0.0)
    connection.workers, waiting = {"fake://0": 1}, {}

    def report(what, done, total):
        waiting[done] = len(connection.chunks) - done
        if done == 40:
            connection.workers = {f"fake://{k}": 2 for k in range(4)}

    client = Cluster(connection, chunk_rows=1, report=report)
    same(tumble.collide_many(KNOT, RING, poses(1), first=False, client=client), expected())
    assert max(number for done, number in waiting.items() if done <= 40) <= 2
    assert max(waiting.values()) > 10


def test_no_more_is_computed_ahead_than_wanted(connection):
    """While the first chunk takes long, others are done, and wait in memory."""
    begun = []

    def wait(number, rows):
        if number == 0:
            time.sleep(0.8)
            begun.append(len(connection.chunks))

    connection.before_chunk = wait
    many = poses(1, 300)
    parts = tumble.collide_chunks(KNOT, RING, many, client=Cluster(connection, chunk_rows=1))
    assert sum(len(part) for _, part in parts) == 300
    assert begun == [run.WAITING * 4]
