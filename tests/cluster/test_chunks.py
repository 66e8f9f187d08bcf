"""The sizes of chunks."""

import numpy as np
import pytest

from tumble.cluster.chunks import (
    GROWTH,
    MOST_BYTES,
    MOST_RESULT_BYTES,
    MOST_SECONDS,
    SCHEDULER_SECONDS,
    SECONDS,
    Chunks,
)
from tumble.cluster.job import Job


def job(count=10**6, **more):
    return Job("rows", None, count, None, **more)


def all_chunks(chunks, count, seconds_per_row):
    """Cut all rows, each chunk taking what its rows take."""
    at, found = 0, []
    while at < count:
        stop = chunks.stop(at, count)
        assert at < stop <= count
        found.append(stop - at)
        chunks.note(at, stop, seconds_per_row * (stop - at))
        at = stop
    return found


def test_a_chunk_takes_50_ms_or_more_once_it_was_measured():
    found = all_chunks(Chunks(job(), 2), 10**6, 3e-6)
    assert found[0] == 64
    assert all(after <= GROWTH * max(found[: k + 1]) for k, after in enumerate(found[1:]))
    assert all(size * 3e-6 >= 0.99 * SECONDS for size in found[3:-1])
    assert max(found) * 3e-6 <= MOST_SECONDS


def test_chunks_get_shorter_toward_the_end():
    found = all_chunks(Chunks(job(), 2), 10**6, 1e-5)
    largest = found.index(max(found))
    assert found[largest:-1] == sorted(found[largest:-1], reverse=True)
    assert found[-2] * 1e-5 < 0.06


def test_the_scheduler_of_many_workers_keeps_up():
    found = all_chunks(Chunks(job(10**7), 1000), 10**7, 1e-3)
    assert min(found[4:-1]) * 1e-3 >= 0.99 * SCHEDULER_SECONDS * 1000


def test_rows_of_a_message():
    assert max(all_chunks(Chunks(job(row_bytes=1000), 1), 10**6, 1e-9)) == MOST_BYTES // 1000


def test_bytes_of_a_result():
    chunks = Chunks(job(), 1)
    for start in range(0, 640, 64):
        chunks.note(start, start + 64, 1e-6, 64 * 16_000)
    assert chunks.stop(640, 10**6) == 640 + MOST_RESULT_BYTES // 16_000


def test_sizes_that_a_user_chose():
    assert set(all_chunks(Chunks(job(100), 2, rows=10), 100, 1.0)) == {10}


def test_weights_stand_for_time():
    weights = np.array([1000.0] * 10 + [1.0] * 10_000)
    chunks, at, found = Chunks(job(len(weights), weights=weights, first=1), 1), 0, []
    while at < len(weights):
        stop = chunks.stop(at, len(weights))
        taken = 1e-3 * weights[at:stop].sum()
        chunks.note(at, stop, taken)
        found.append((at, stop, taken))
        at = stop
    assert all(stop == start + 1 or taken <= MOST_SECONDS for start, stop, taken in found)
    assert all(taken >= 0.9 * SECONDS for *_, taken in found[:-1])


@pytest.mark.parametrize("seconds", [0.0, 1e-9])
def test_rows_that_take_no_time(seconds):
    assert sum(all_chunks(Chunks(job(10**5), 2), 10**5, seconds)) == 10**5


@pytest.mark.parametrize("rows", [None, 1, 64, 100])
def test_chunks_begin_where_one_machine_cuts(rows):
    chunks, at = Chunks(job(1000, step=64), 2, rows=rows), 0
    while at < 1000:
        stop = chunks.stop(at, 1000)
        assert at < stop <= 1000
        assert stop % 64 == 0 or stop == 1000
        chunks.note(at, stop, 0.003 * (stop - at))
        at = stop
