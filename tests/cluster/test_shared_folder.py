"""What workers need lies in a folder that they all see, once, and is mapped; what is wrong there is said or mended."""

import os
import pickle

import numpy as np
import pytest
from cluster_cases import KNOT, RING, poses, same
from fake_connection import FakeConnection
from test_robot_on_cluster import arm, obstacles

import tumble
from tumble.cluster import Cluster, map_rows, mapped
from tumble.cluster.mapped import MappedItems, items_of
from tumble.cluster.shared_folder import SharedFolder
from tumble.errors import ClusterError, FileError
from tumble.hierarchy.packed import packed

SIZE = 10


@pytest.fixture
def connection():
    found = FakeConnection()
    yield found
    found.close()


def asked(connection, folder, a=KNOT, **how):
    client = Cluster(connection, chunk_rows=SIZE, shared_folder=folder, **how)
    return tumble.collide_many(a, RING, poses(1), first=False, client=client)


def expected():
    return tumble.collide_many(KNOT, RING, poses(1), first=False)


def files(folder):
    return sorted(folder.iterdir())


def test_the_same_answers_and_next_to_nothing_travels(connection, tmp_path):
    same(asked(connection, tmp_path / "shared"), expected())
    same(asked(connection, tmp_path / "shared"), expected())
    assert [len(each) < 500 for each in connection.shared] == [True]
    (file,) = files(tmp_path / "shared")
    assert file.stat().st_size > KNOT.vertices.nbytes + RING.vertices.nbytes
    assert file.stat().st_mode & 0o222 == 0


def in_memory_of(array, content):
    """Whether an array is a part of some memory."""
    low, _ = np.lib.array_utils.byte_bounds(np.frombuffer(content, np.uint8))
    start, stop = np.lib.array_utils.byte_bounds(array)
    return low <= start <= stop <= low + len(content)


def test_arrays_are_not_copied_and_have_the_types_of_kernels(tmp_path):
    knot = tumble.Mesh(KNOT.vertices, KNOT.faces)
    packed(knot).ready_for_distances(10**6)
    trees = [tumble.build(knot, "obb"), tumble.build(knot, "boxtree")]
    kept = SharedFolder(tmp_path).keep([knot, tumble.Mesh([], []), *trees])
    content = mapped.mapped(kept.file, kept.digest, kept.owner)  # kernels need a tree at a multiple of 64 bytes
    mesh, empty, *others = items_of(content)
    assert (len(empty), len(empty.vertices)) == (0, 0)
    tree = mesh._packed
    arrays = [mesh.vertices, mesh.faces, tree.blocks, tree._slabs, tree._hulls]
    arrays += [getattr(other, name) for other in others for name in ("nodes", "order")]
    assert others[0].mesh is mesh
    for array in arrays:
        assert in_memory_of(array, content)
        assert not array.flags.writeable
        assert array.dtype is np.dtype(array.dtype.type)
        assert array.ctypes.data % 64 == 0
    pose = tumble.translation(0.3, 0.2, 0.1)
    np.testing.assert_array_equal(tumble.collide(mesh, RING, pose).pairs, tumble.collide(KNOT, RING, pose).pairs)
    assert repr(tumble.distance(mesh, RING, pose)) == repr(tumble.distance(KNOT, RING, pose))


def test_what_can_be_written_to_is_no_part_of_the_file(tmp_path):
    own, mine = np.arange(1000.0), np.arange(1000.0)
    own.flags.writeable = False
    kept = SharedFolder(tmp_path).keep([(own, mine)])
    ((first, second),) = pickle.loads(pickle.dumps(kept))
    assert (first.flags.writeable, second.flags.writeable) == (False, True)
    for array in (first, second):
        np.testing.assert_array_equal(array, own)


def test_robots_too(connection, tmp_path):
    Q, scene = arm().random(100, 3), obstacles()
    with Cluster(connection, chunk_rows=30, shared_folder=tmp_path) as cluster:
        found = arm().collides(Q, scene, links=True, client=cluster)
    np.testing.assert_array_equal(found.rows, arm().collides(Q, scene, links=True).rows)


def times(factor, rows):
    return (factor[0] * rows,)


def test_files_go_with_the_cluster_and_with_what_is_not_asked_about_again(connection, tmp_path):
    asked(connection, tmp_path)
    factor = np.array([3.0])
    found = map_rows(times, [np.arange(50.0)], factor, Cluster(connection, shared_folder=tmp_path))
    np.testing.assert_array_equal(found[0], 3.0 * np.arange(50.0))
    assert len(files(tmp_path)) == 1
    for k in range(5):
        asked(connection, tmp_path, tumble.shapes.box(1.0 + k))
    assert len(files(tmp_path)) == 4
    Cluster(connection, shared_folder=tmp_path).close()
    assert files(tmp_path) == []


def test_two_clients_share_the_content_and_neither_takes_it_from_the_other(connection, tmp_path):
    other = FakeConnection()
    asked(connection, tmp_path)
    asked(other, tmp_path)
    one, two = files(tmp_path)
    assert one.stat().st_ino == two.stat().st_ino
    Cluster(connection).close()
    assert files(tmp_path) == [one] or files(tmp_path) == [two]
    same(asked(other, tmp_path), expected())
    Cluster(other).close()
    assert files(tmp_path) == []


def damaged(file, change):
    content = bytearray(file.read_bytes())
    os.chmod(file, 0o600)
    file.write_bytes(change(content))
    os.chmod(file, 0o400)


DAMAGES = {
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "a bit of a tree": lambda content: content[:-300] + bytes([content[-300] ^ 64]) + content[-299:],
    "another file": lambda content: b"x" * len(content),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_not_used(connection, tmp_path, damage):
    kept = SharedFolder(tmp_path).keep([KNOT])
    damaged(files(tmp_path)[0], DAMAGES[damage])
    worker = pickle.loads(pickle.dumps(kept))
    with pytest.raises(ClusterError, match=r"damaged|cannot read"):
        worker[0]
    again = SharedFolder(tmp_path).keep([KNOT])
    assert len(files(tmp_path)) == 2
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again))[0].vertices, KNOT.vertices)


@pytest.mark.parametrize("what", ["removed", "with its folder", "damaged"])
def test_a_file_that_goes_in_the_middle_is_written_again(connection, tmp_path, monkeypatch, what):
    monkeypatch.setattr(mapped, "PATIENCE", 0.0)
    folder, opened = tmp_path / "shared", []
    load = MappedItems._loaded

    def spoiled(self):
        if not opened:
            opened.append(self)
            (file,) = files(folder)
            file.unlink() if what != "damaged" else damaged(file, DAMAGES["cut"])
            if what == "with its folder":
                folder.rmdir()
        return load(self)

    monkeypatch.setattr(MappedItems, "_loaded", spoiled)
    same(asked(connection, folder), expected())
    assert len(connection.shared) == 2


def test_a_folder_that_a_worker_does_not_see(connection, tmp_path, monkeypatch):
    monkeypatch.setattr(mapped, "PATIENCE", 0.0)
    monkeypatch.setattr(MappedItems, "__reduce__", lambda self: (MappedItems, ("/nowhere/it.items", self.digest, 0)))
    with pytest.raises(ClusterError, match=r"there is no folder /nowhere on .*under the same path"):
        asked(connection, tmp_path)
    assert connection.chunks == []
    assert len(connection.shared) == 1


def test_a_file_that_others_can_change_is_refused(connection, tmp_path):
    kept = SharedFolder(tmp_path).keep([KNOT])
    (file,) = files(tmp_path)
    os.chmod(file, 0o464)
    with pytest.raises(ClusterError, match=r"can be changed by other users: .*-r--rw-r--"):
        kept[0]
    os.chmod(file, 0o444)
    elsewhere = tmp_path / "link.items"
    elsewhere.symlink_to(file)
    with pytest.raises(ClusterError, match="cannot read"):
        mapped.mapped(str(elsewhere), kept.digest, kept.owner)
    if os.getuid() == 0:
        os.chown(file, 4321, -1)
        with pytest.raises(ClusterError, match="it belongs to user 4321"):
            mapped.mapped(str(file), kept.digest, kept.owner)
        mapped.mapped(str(file), kept.digest, 4321)


def test_what_cannot_be_written(connection, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("…")
    with pytest.raises(FileError, match="cannot write to the shared folder"):
        asked(connection, tmp_path / "file")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tumble.cluster.shared_folder.os.replace", full)
    with pytest.raises(FileError, match="No space left on device"):
        asked(connection, tmp_path / "new")
    assert files(tmp_path / "new") == []
    assert connection.chunks == []
