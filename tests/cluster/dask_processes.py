"""Schedulers and workers of Dask, each a process of its own, for tests that kill them."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

LONGEST = 30.0


@contextlib.contextmanager
def dask_processes(folder, workers=2, environment=None):
    """Yield the file of a scheduler, its process and those of its workers; all end with the block."""
    file, common = Path(folder) / "scheduler.json", ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = _start("scheduler", [*common, "--port", "0", "--scheduler-file", str(file)], None)
    processes = [scheduler]
    try:
        _wait(file.exists)
        _wait(lambda: "address" in json.loads(file.read_text() or "{}"))
        given = [*common, "--scheduler-file", str(file), "--no-nanny", "--nthreads", "1"]
        processes += [_start("worker", given, environment) for _ in range(workers)]
        yield str(file), scheduler, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for_workers(cluster, count):
    """Wait until a cluster has its workers."""
    _wait(lambda: len(cluster.connection.threads()) == count)


def _start(what, arguments, environment):
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments]
    own = {**os.environ, "TUMBLE_QUIET": "1", **(environment or {})}
    return subprocess.Popen(command, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _wait(there):
    end = time.monotonic() + LONGEST
    while not there():
        assert time.monotonic() < end, "it takes too long to start"
        time.sleep(0.05)
