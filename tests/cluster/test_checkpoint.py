"""Checkpoints: what is done is kept, a changed question is refused, what is damaged is computed again."""

import json
import logging

import numpy as np
import pytest
from cluster_cases import COUNT, KNOT, RING, poses, same
from fake_connection import FakeConnection

import tumble
from tumble.cluster import Cluster, map_rows
from tumble.errors import ClusterError, FileError, OptionError

SIZE = 5


@pytest.fixture
def connection():
    found = FakeConnection()
    yield found
    found.close()


def asked(connection, folder, places=None, **options):
    client = Cluster(connection, checkpoint=folder, chunk_rows=SIZE)
    options = {"first": False, **options}
    return tumble.collide_many(KNOT, RING, poses(1) if places is None else places, client=client, **options)


def interrupted(connection, folder, after=7):
    def fail(number, rows):
        if number >= after:
            raise RuntimeError("the power is off")

    connection.before_chunk = fail
    with pytest.raises(ClusterError, match="ask again to go on"):
        asked(connection, folder)
    connection.before_chunk = lambda number, rows: None
    connection.chunks.clear()
    return sorted(path.name for path in folder.glob("rows-*"))


OPTIONS = [{}, {"contacts": True}, {"stats": True}, {"clearance": 0.3}, {"clearance": 0.3, "solid": True}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_all_columns_come_back_from_files(connection, tmp_path, options):
    expected = tumble.collide_many(KNOT, RING, poses(1), first=False, **options)
    for _ in range(2):
        found = asked(connection, tmp_path / "kept", **options)
        same(found, expected)
        np.testing.assert_array_equal(found.hit, expected.hit)
    assert len(connection.chunks) == COUNT // SIZE


def test_only_what_is_missing_is_computed(connection, tmp_path):
    kept = interrupted(connection, tmp_path / "kept")
    assert 0 < len(kept) <= 7
    same(asked(connection, tmp_path / "kept"), tumble.collide_many(KNOT, RING, poses(1), first=False))
    assert len(connection.chunks) == COUNT // SIZE - len(kept)
    assert not list((tmp_path / "kept").glob(".*"))


def test_another_size_of_chunks_goes_on_too(connection, tmp_path):
    kept = interrupted(connection, tmp_path / "kept")
    client = Cluster(connection, checkpoint=tmp_path / "kept", chunk_rows=8)
    found = tumble.collide_many(KNOT, RING, poses(1), first=False, client=client)
    same(found, tumble.collide_many(KNOT, RING, poses(1), first=False))
    assert len(list((tmp_path / "kept").glob("rows-*"))) > len(kept)


CHANGES = {
    "the poses": lambda: {"places": poses(2)},
    "the options": lambda: {"contacts": True},
    "the pairs": lambda: {"clearance": 0.1},
    "rows": lambda: {"places": poses(1, COUNT - 1)},
}


@pytest.mark.parametrize("name", CHANGES)
def test_another_question_is_refused(connection, tmp_path, name):
    asked(connection, tmp_path / "kept")
    with pytest.raises(ClusterError, match=f"about another question: .*{name}.* changed"):
        asked(connection, tmp_path / "kept", **CHANGES[name]())


def test_other_meshes_are_refused(connection, tmp_path):
    asked(connection, tmp_path / "kept")
    client = Cluster(connection, checkpoint=tmp_path / "kept")
    with pytest.raises(ClusterError, match="another question: the meshes changed"):
        tumble.collide_many(KNOT, KNOT, poses(1), first=False, client=client)


def test_another_version_is_refused(connection, tmp_path):
    asked(connection, tmp_path / "kept")
    file = tmp_path / "kept" / "question.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "Tumble": "0.0.9+123"}))
    with pytest.raises(ClusterError, match="another question: Tumble changed"):
        asked(connection, tmp_path / "kept")


DAMAGES = {
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "a bit": lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_computed_again_with_a_word(connection, tmp_path, caplog, damage):
    asked(connection, tmp_path / "kept")
    connection.chunks.clear()
    files = sorted((tmp_path / "kept").glob("rows-*"))
    files[3].write_bytes(DAMAGES[damage](files[3].read_bytes()))
    files[8].rename(files[8].with_name("rows-000000000001-000000000003"))
    with caplog.at_level(logging.WARNING, "tumble"):
        same(asked(connection, tmp_path / "kept"), tumble.collide_many(KNOT, RING, poses(1), first=False))
    assert len(connection.chunks) == 2
    assert files[3].name in caplog.text
    assert "computed again" in caplog.text


def test_folders_of_others(connection, tmp_path):
    (tmp_path / "thesis.tex").write_text("…")
    with pytest.raises(ClusterError, match="not empty and no checkpoint"):
        asked(connection, tmp_path)
    with pytest.raises(FileError, match="cannot use the checkpoint"):
        asked(connection, tmp_path / "thesis.tex")
    with pytest.raises(OptionError, match="path"):
        Cluster(connection, checkpoint=3)


def doubled(factor, numbers, others):
    return factor * numbers, others.sum(axis=1)


def test_rows_of_any_kind(connection, tmp_path):
    rows = np.arange(50.0), np.arange(100).reshape(50, 2)
    client = Cluster(connection, chunk_rows=8, checkpoint=tmp_path / "kept")
    for _ in range(2):
        found = map_rows(doubled, rows, 3.0, client, what="numbers", digests={"the factor": "3"})
        np.testing.assert_array_equal(found[0], 3.0 * rows[0])
        np.testing.assert_array_equal(found[1], rows[1].sum(axis=1))
    assert len(connection.chunks) == 7
    with pytest.raises(ClusterError, match="the factor changed"):
        map_rows(doubled, rows, 4.0, client, what="numbers", digests={"the factor": "4"})
    with pytest.raises(OptionError, match="checkpoint="):
        map_rows(doubled, rows, 4.0, client)
    assert [len(each) for each in map_rows(doubled, (rows[0][:0], rows[1][:0]), 3.0, connection)] == [0, 0]
