"""Real processes of Dask: the same answers, also when they are killed; closed ports; bounded memory."""

import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from cluster_cases import KNOT, RING, dies, poses, same
from dask_processes import dask_processes, wait_for_workers

import tumble
from tumble import cluster
from tumble.clash import CheckSettings, check_parts
from tumble.cluster import dask_connection
from tumble.errors import ClusterError
from tumble.scenario.assembly import assembly

Client = pytest.importorskip("distributed").Client
psutil = pytest.importorskip("psutil")
pytestmark = pytest.mark.process
CHUNKS = 200
TIMES = 10


def many(count=TIMES * CHUNKS):
    return poses(1, count)


def pids(given):
    return given.connection.client.run(os.getpid)


@pytest.fixture(scope="module")
def two():
    with cluster.local(2) as found:
        yield found


def test_the_same_answers_by_a_client_of_the_user(two):
    client, expected = two.connection.client, tumble.collide_many(KNOT, RING, many(), first=False, contacts=True)
    same(tumble.collide_many(KNOT, RING, many(), first=False, contacts=True, client=client), expected)
    parts = [tumble.Part(f"part {k}", tumble.transformed(KNOT, pose)) for k, pose in enumerate(poses(7, 12))]
    assert tumble.touching_parts(parts, client=client) == tumble.touching_parts(parts)


def test_a_check_finds_the_same(two):
    parts, said = assembly(), []
    settings = CheckSettings(tolerance=0.05, client=two)
    found = check_parts(parts, settings, report=lambda *progress: said.append(progress[0]))
    expected = check_parts(parts, CheckSettings(tolerance=0.05))
    assert found == expected
    assert {"relating parts", "measuring"} <= set(said)


def test_processes_listen_to_this_machine_alone_and_show_no_pages(two):
    mine = psutil.Process()
    listening = [
        place.laddr
        for process in [mine, *mine.children(recursive=True)]
        for place in process.net_connections()
        if place.status == psutil.CONN_LISTEN
    ]
    assert len(listening) >= 6
    assert {place.ip for place in listening} == {"127.0.0.1"}
    info = two.connection.client.scheduler_info()
    ports = [each["services"]["dashboard"] for each in (info, *info["workers"].values())]
    assert 8787 not in ports
    for port in ports:
        for page in ("", "status", "info/main/workers.html", "health", "metrics", "json/counts.json"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=5)


def settings():
    """Whether a worker serves pages, and looks where it spends its time."""
    import dask

    return dask.config.get("distributed.worker.http.routes"), dask.config.get("distributed.worker.profile.enabled")


@pytest.mark.parametrize(("workers", "folder"), [(1, None), (2, None), (1, "shared")])
def test_a_worker_that_is_killed_in_the_middle(workers, folder, tmp_path):
    """With one, what was shared is lost too."""
    expected, killed = tumble.collide_many(KNOT, RING, many(), first=False), []
    shared = None if folder is None else tmp_path / folder
    with cluster.local(workers, chunk_rows=TIMES, shared_folder=shared) as given:
        before = pids(given)

        def report(what, done, total):
            if what == "pairs of bodies" and done > total // 2 and not killed:
                killed.append(next(iter(before.values())))
                os.kill(killed[0], signal.SIGKILL)

        same(tumble.collide_many(KNOT, RING, many(), first=False, client=given.reporting(report)), expected)
        assert killed
        given.connection.client.wait_for_workers(workers, timeout=20)
        assert list(given.connection.client.run(settings).values()) == [([], False)] * workers
        assert not psutil.pid_exists(killed[0]) or psutil.Process(killed[0]).status() == psutil.STATUS_ZOMBIE
    assert not any(psutil.pid_exists(pid) for pid in before.values())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_goes_away_or_hangs(tmp_path, monkeypatch, how):
    monkeypatch.setattr(dask_connection, "ANSWER_SECONDS", 2)
    monkeypatch.setattr(dask_connection, "NEWS_SECONDS", 1)
    with dask_processes(tmp_path) as (file, scheduler, _), cluster.connect(file, chunk_rows=5) as given:
        wait_for_workers(given, 2)
        when = []

        def report(what, done, total):
            if what == "pairs of bodies" and not when:
                scheduler.send_signal(how)
                when.append(time.monotonic())

        with pytest.raises(ClusterError, match=r"the scheduler tcp://127\.0\.0\.1:\d+"):
            tumble.collide_many(KNOT, RING, many(), first=False, client=given.reporting(report))
        assert time.monotonic() - when[0] < 60  # some seconds; more while the machine is busy, but not for ever


def test_a_worker_that_always_dies(two):
    with pytest.raises(
        ClusterError, match=r"numbers \d+ to \d+: workers were lost 4 times with these; out of memory\?"
    ):
        cluster.map_rows(dies, [np.arange(10)], None, two, what="numbers")
    same(tumble.collide_many(KNOT, RING, many(20), client=two), tumble.collide_many(KNOT, RING, many(20)))


@pytest.mark.parametrize("ask", [lambda client: client, cluster.Cluster])
def test_a_client_that_is_closed(two, ask):
    client = Client(two.connection.address, set_as_default=False)
    given = ask(client)
    client.close()
    with pytest.raises(ClusterError, match="the client of the cluster is closed; make a new one"):
        tumble.collide_many(KNOT, RING, many(20), client=given)


def test_a_worker_of_another_version(tmp_path):
    (tmp_path / "tumble").mkdir()
    (tmp_path / "tumble" / "__init__.py").write_text('__version__ = "0.0.9"\n')
    old = {"PYTHONPATH": str(tmp_path)}
    with dask_processes(tmp_path, 1, old) as (file, _, _), cluster.connect(file) as given:
        wait_for_workers(given, 1)
        with pytest.raises(ClusterError, match=rf"Tumble is 0\.0\.9 there and {tumble.__version__} here"):
            tumble.collide_many(KNOT, RING, many(20), client=given)


def test_no_scheduler(monkeypatch):
    monkeypatch.setattr("tumble.cluster.dask_start.CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:1", "nonsense", "/nowhere/scheduler.json"):
        with pytest.raises(ClusterError, match="no scheduler answers at"):
            cluster.connect(address)


def peak(pid):
    """The largest memory that a process has had, in bytes."""
    words = Path(f"/proc/{pid}/status").read_text()
    return int(words.partition("VmHWM:")[2].split()[0]) * 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="there is no /proc")
def test_memory_of_workers_does_not_grow_with_the_job(two):
    """Four times the rows, whose poses and answers are some 40 MB more, and no more memory."""
    places = np.tile(many(1000), (100, 1, 1))
    processes, peaks = pids(two), []
    for count in (10_000, 40_000):
        sized = cluster.Cluster(two.connection.client, chunk_rows=1000)
        answers = tumble.collide_chunks(KNOT, RING, places[:count], client=sized)
        size = sum(part.triangles.nbytes + len(part) * 128 for _, part in answers)
        peaks.append(max(peak(pid) for pid in processes.values()))
    assert size > 50e6
    assert peaks[1] - peaks[0] < 16e6


def mapping(ending):
    """The numbers that Linux has for the files with this ending that a process maps, in bytes, added up."""
    found, inside = {}, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            inside = words[-1].endswith(ending)
        elif inside and words[-1] == "kB":
            found[words[0][:-1]] = found.get(words[0][:-1], 0) + 1024 * int(words[1])
    return found


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps"), reason="there is no /proc")
def test_workers_of_one_machine_share_the_pages_of_a_shared_folder(two, tmp_path):
    ball = tumble.shapes.icosphere(6)
    shared = cluster.Cluster(two.connection.client, shared_folder=tmp_path, chunk_rows=100)
    found = tumble.collide_many(ball, RING, many(200), clearance=0.1, client=shared)  # each worker warms up for this
    same(found, tumble.collide_many(ball, RING, many(200), clearance=0.1))
    (file,) = tmp_path.iterdir()
    found = two.connection.client.run(mapping, ".items")
    assert len(found) == 2
    for numbers in found.values():
        assert numbers["Rss"] >= file.stat().st_size > ball.vertices.nbytes + ball.faces.nbytes
        assert numbers["Pss"] < 0.6 * numbers["Rss"]
        assert numbers["Private_Dirty"] == 0
