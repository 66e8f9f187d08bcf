"""Whatever is wrong with a file: FileError, or the very tree that was saved; never another error or another tree."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tree_cases import VOLUMES, random_soup, same_tree

import tumble
from covering import sized
from tumble import FileError, Tree


@pytest.fixture
def tree() -> Tree:
    return tumble.build(random_soup(2), "sphere")


def content(tree: Tree, folder: Path) -> dict[str, Any]:
    tree.save(folder / "good")
    with np.load(folder / "good") as archive:
        return dict(archive)


def refused(path: Path, match: str = ".") -> None:
    with pytest.raises(FileError, match=match):
        tumble.load_tree(path)


def same_or_refused(path: Path, tree: Tree) -> bool:
    """Whether the file was read; then it must give this tree."""
    try:
        found = tumble.load_tree(path)
    except FileError:
        return False
    assert same_tree(found, tree)
    return True


def write_archive(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


# --- not a tree at all


def test_missing_files_and_folders(tmp_path: Path) -> None:
    refused(tmp_path / "missing", "missing")
    refused(tmp_path)


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"PK", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"v 0 0 0\nf 1 1 1\n", bytes(10_000), b"\x93NUMPY"],
)
def test_files_of_other_kinds(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    refused(tmp_path / "file", "file")


def test_plain_arrays(tmp_path: Path) -> None:
    for array in (np.arange(3), np.array("tumble-tree"), np.zeros((0, 8), np.int32)):
        (tmp_path / "file").write_bytes(npy(array))
        refused(tmp_path / "file", "file")


def test_foreign_archives(tmp_path: Path) -> None:
    np.savez(tmp_path / "foreign.npz", vertices=np.zeros((3, 3)), faces=np.zeros((1, 3), np.int32))
    refused(tmp_path / "foreign.npz", "not a Tumble tree")
    write_archive(tmp_path / "zip", {"readme.txt": b"hello"})
    refused(tmp_path / "zip")
    write_archive(tmp_path / "raw", {"format.npy": npy(np.array("tumble-tree")), "version": b"1", "nodes": b""})
    refused(tmp_path / "raw")


class Trap:
    """Unpickling it would make a folder."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (os.environ["TRAP"],)


def test_pickles_are_never_opened(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAP", str(tmp_path / "sprung"))
    (tmp_path / "pickle").write_bytes(pickle.dumps(Trap()))
    refused(tmp_path / "pickle")
    good = content(tree, tmp_path)
    for name in good:
        np.savez(tmp_path / "trap.npz", **{**good, name: np.array([Trap()], dtype=object)})
        refused(tmp_path / "trap.npz")
    assert not (tmp_path / "sprung").exists()


# --- damage by accident


@pytest.mark.parametrize("every", [19, pytest.param(7, marks=pytest.mark.slow)])
@pytest.mark.parametrize("volume", VOLUMES)
def test_every_truncation_is_refused(volume: str, every: int, tmp_path: Path) -> None:
    tumble.build(random_soup(2), volume).save(tmp_path / "tree")
    data = (tmp_path / "tree").read_bytes()
    for length in range(0, len(data), every):
        (tmp_path / "short").write_bytes(data[:length])
        refused(tmp_path / "short", "short")


@pytest.mark.parametrize("every", [23, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("flip", [0x01, 0x08, 0xFF])
def test_flipped_bytes(tree: Tree, flip: int, every: int, tmp_path: Path) -> None:
    tree.save(tmp_path / "tree")
    good = (tmp_path / "tree").read_bytes()
    read = 0
    for at in range(flip % 3, len(good), every):
        data = bytearray(good)
        data[at] ^= flip
        (tmp_path / "tree").write_bytes(data)
        read += same_or_refused(tmp_path / "tree", tree)
    assert read < len(good) / every / 4


@pytest.mark.slow
@pytest.mark.parametrize("bit", range(8))
def test_every_flipped_bit(tree: Tree, bit: int, tmp_path: Path) -> None:
    tree.save(tmp_path / "tree")
    good = (tmp_path / "tree").read_bytes()
    for at in range(len(good)):
        data = bytearray(good)
        data[at] ^= 1 << bit
        (tmp_path / "tree").write_bytes(data)
        same_or_refused(tmp_path / "tree", tree)


def test_flipped_bytes_of_a_file_that_was_compressed(tree: Tree, tmp_path: Path) -> None:
    """Someone packed it anew: the arrays are the same, the ways to fail are others."""
    members = {f"{name}.npy": npy(array) for name, array in content(tree, tmp_path).items()}
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):  # a kilobyte of these can hold gigabytes
        write_archive(tmp_path / "tree", members, method)
        refused(tmp_path / "tree", "deflate")
    write_archive(tmp_path / "tree", members, zipfile.ZIP_DEFLATED)
    assert same_or_refused(tmp_path / "tree", tree)
    good = (tmp_path / "tree").read_bytes()
    for at in range(0, len(good), 9):
        data = bytearray(good)
        data[at] ^= 0xFF
        (tmp_path / "tree").write_bytes(data)
        same_or_refused(tmp_path / "tree", tree)


def test_zeroed_and_swapped_blocks(tree: Tree, tmp_path: Path) -> None:
    tree.save(tmp_path / "tree")
    good = (tmp_path / "tree").read_bytes()
    for at in range(0, len(good) - 128, 64):
        swapped = good[:at] + good[at + 64 : at + 128] + good[at : at + 64] + good[at + 128 :]
        for data in (good[:at] + bytes(64) + good[at + 64 :], swapped, good[:at] + good[at + 64 :]):
            (tmp_path / "tree").write_bytes(data)
            same_or_refused(tmp_path / "tree", tree)


# --- damage on purpose: the archive is fine, its content is not


@pytest.mark.parametrize("version", [0, 2, -1, 10**9, "1.0", "one", np.nan, np.inf, 1.5, 1j, [1], [], b"1"])
def test_other_versions(tree: Tree, version: object, tmp_path: Path) -> None:
    np.savez(tmp_path / "tree.npz", **{**content(tree, tmp_path), "version": version})
    refused(tmp_path / "tree.npz", "version")


@pytest.mark.parametrize("mark", ["", "tumble", ["tumble-tree", "x"], 7, "tumble-tree "])
def test_other_marks(tree: Tree, mark: object, tmp_path: Path) -> None:
    np.savez(tmp_path / "tree.npz", **{**content(tree, tmp_path), "format": mark})
    refused(tmp_path / "tree.npz", "not a Tumble tree")


@pytest.mark.parametrize("name", ["format", "version", "volume", "nodes", "rows", "order", "vertices", "faces"])
def test_missing_and_foreign_members(tree: Tree, name: str, tmp_path: Path) -> None:
    good = content(tree, tmp_path)
    np.savez(tmp_path / "tree.npz", **{key: value for key, value in good.items() if key != name})
    refused(tmp_path / "tree.npz")
    write_archive(
        tmp_path / "raw",
        {(key if key == name else f"{key}.npy"): npy(good[key])[8:] if key == name else npy(good[key]) for key in good},
    )
    refused(tmp_path / "raw")


@pytest.mark.parametrize(
    "dtype", [np.int64, np.float32, np.complex128, "S8", "M8[s]", bool, ">i4", ">f8", [("a", "i4")]]
)
@pytest.mark.parametrize("name", ["nodes", "rows", "order", "vertices", "faces"])
def test_wrong_types(tree: Tree, name: str, dtype: Any, tmp_path: Path) -> None:
    good = content(tree, tmp_path)
    shape = good[name].shape
    np.savez(tmp_path / "tree.npz", **{**good, name: np.zeros(shape, dtype)})
    refused(tmp_path / "tree.npz")


@pytest.mark.parametrize("name", ["nodes", "rows", "order", "vertices", "faces"])
def test_wrong_shapes(tree: Tree, name: str, tmp_path: Path) -> None:
    good = content(tree, tmp_path)
    array = good[name]
    doubled = [] if name == "vertices" else [np.concatenate([array, array])]  # vertices that no face uses are fine
    for wrong in (array[:0], array[:1], array[None], array.ravel()[0], *doubled):
        np.savez(tmp_path / "tree.npz", **{**good, name: wrong})
        refused(tmp_path / "tree.npz")


def test_what_a_header_announces_is_compared_with_what_follows(tree: Tree, tmp_path: Path) -> None:
    members = {f"{name}.npy": npy(array) for name, array in content(tree, tmp_path).items()}
    for shape in ("(2, 3)", "(10000000000, 3)", "(-2, -9)", "(0, 3)"):
        changed = members["vertices.npy"].replace(b"(6, 3)", shape.encode(), 1)
        write_archive(tmp_path / "tree", members | {"vertices.npy": changed})
        refused(tmp_path / "tree", "vertices.npy|reshape|header")


@sized(2_000_000, 4_000_000)
def test_archives_that_unpack_to_far_more_than_they_are(tree: Tree, tmp_path: Path, count: int) -> None:
    members = {f"{name}.npy": npy(array) for name, array in content(tree, tmp_path).items()}
    bomb = npy(np.zeros((count, 3)))
    write_archive(tmp_path / "bomb", members | {"vertices.npy": bomb}, zipfile.ZIP_DEFLATED)
    assert (tmp_path / "bomb").stat().st_size < count / 20
    refused(tmp_path / "bomb", f"unpack to {24 * count + 128} bytes")
    write_archive(tmp_path / "bomb", members | {"surplus.npy": bomb}, zipfile.ZIP_DEFLATED)
    refused(tmp_path / "bomb", f"unpack to {24 * count + 128} bytes")


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "not a regular file")
    refused(Path("/dev/zero"), "not a regular file")


HEADERS = [
    b"{'descr': (((((",
    b'"""',
    b"{'descr': '<i4', 'fortran_order': False, 'shape': (-3, 8)}",
    b"{'descr': '<i4', 'fortran_order': False, 'shape': (10000000000000, 8)}",
    b"{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 8)}",
    b"{'descr': '|O', 'fortran_order': False, 'shape': (3, 8)}",
    b"{'descr': 'no such', 'fortran_order': False, 'shape': (3, 8)}",
    b"{'shape': (3, 8)}",
    b"\xff\xfe",
]


@pytest.mark.parametrize("header", HEADERS)
def test_forged_headers(tree: Tree, header: bytes, tmp_path: Path) -> None:
    members = {f"{name}.npy": npy(array) for name, array in content(tree, tmp_path).items()}
    length = (len(header) + 1).to_bytes(2, "little")
    members["nodes.npy"] = b"\x93NUMPY\x01\x00" + length + header + b"\n" + bytes(96)
    write_archive(tmp_path / "tree", members)
    refused(tmp_path / "tree", "tree")


def test_a_good_archive_with_a_bad_tree(tree: Tree, tmp_path: Path) -> None:
    good = content(tree, tmp_path)
    for name, at, value in (
        ("nodes", (1, 1), 3),
        ("nodes", (2, 2), 1),
        ("rows", (0, 3), 1e-9),
        ("rows", (1, 0), np.nan),
        ("order", 0, 1),
        ("vertices", (0, 0), 1e6),
        ("vertices", (0, 0), np.inf),
        ("faces", (0, 0), 99),
    ):
        array = good[name].copy()
        array[at] = value
        np.savez(tmp_path / "tree.npz", **{**good, name: array})
        refused(tmp_path / "tree.npz", "is damaged")
    np.savez(tmp_path / "tree.npz", **{**good, "volume": "cone"})
    refused(tmp_path / "tree.npz", "unknown volume 'cone'")
    np.savez(tmp_path / "tree.npz", **{**good, "volume": "aabb"})
    refused(tmp_path / "tree.npz", "do not fit")
