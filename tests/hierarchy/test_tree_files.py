"""A tree comes back from its file as it was; a file that cannot be written leaves nothing behind."""

import os
import stat
from pathlib import Path

import numpy as np
import pytest
from link_definitions import HANDMADE, tree_over
from tree_cases import AWKWARD, VOLUMES, random_soup, same_tree

import tumble
from covering import crossed
from tumble import FileError, Mesh


@crossed(1, volume=VOLUMES, case=AWKWARD)
def test_round_trip(case: str, volume: str, tmp_path: Path) -> None:
    tree = tumble.build(AWKWARD[case](), volume, "sah", leaf_size=2, arity=3)
    tree.save(tmp_path / "tree")
    assert same_tree(tumble.load_tree(tmp_path / "tree"), tree)


@pytest.mark.parametrize("volume", VOLUMES)
def test_round_trip_of_an_empty_mesh(volume: str, tmp_path: Path) -> None:
    tree = tumble.build(Mesh([[1, 2, 3]], []), volume)
    tree.save(tmp_path / "tree")
    assert same_tree(tumble.load_tree(tmp_path / "tree"), tree)


@pytest.mark.parametrize("name", HANDMADE)
def test_round_trip_of_handmade_trees(name: str, tmp_path: Path) -> None:
    tree = tree_over(HANDMADE[name])
    tree.save(tmp_path / "tree")
    assert same_tree(tumble.load_tree(tmp_path / "tree"), tree)


def test_the_name_is_taken_as_it_is(tmp_path: Path) -> None:
    tree = tumble.build(random_soup(3))
    for name in ("plain", "with.ending", "two.npz", "ein Bäumchen 🌳"):
        tree.save(str(tmp_path / name))
        assert same_tree(tumble.load_tree(str(tmp_path / name)), tree)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_relative_name_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tumble.build(random_soup(3)).save("tree")
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]
    tumble.load_tree("tree").validate()


def test_saving_replaces_and_the_reader_of_the_old_file_is_not_disturbed(tmp_path: Path) -> None:
    old, new = tumble.build(random_soup(3)), tumble.build(random_soup(30))
    old.save(tmp_path / "tree")
    with open(tmp_path / "tree", "rb") as reading:
        before = reading.read(100)
        new.save(tmp_path / "tree")
        rest = reading.read()
    assert before + rest != (tmp_path / "tree").read_bytes()
    assert same_tree(tumble.load_tree(tmp_path / "tree"), new)
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_numpy_can_read_it(tmp_path: Path) -> None:
    tree = tumble.build(random_soup(3))
    tree.save(tmp_path / "tree")
    with np.load(tmp_path / "tree", allow_pickle=False) as archive:
        assert str(archive["format"]) == "tumble-tree"
        assert int(archive["version"]) == 1
        assert np.array_equal(archive["nodes"], tree.nodes)


def test_saving_into_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="missing"):
        tumble.build(random_soup(3)).save(tmp_path / "missing" / "tree")
    assert list(tmp_path.iterdir()) == []


def test_saving_onto_a_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match="folder"):
        tumble.build(random_soup(3)).save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_saving_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        tumble.build(random_soup(3)).save(tmp_path / "file" / "tree")


@pytest.mark.parametrize("name", ["", ".", "a\0b", "n" * 300])
def test_an_impossible_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError):
        tumble.build(random_soup(3)).save(name)
    assert list(tmp_path.iterdir()) == []


def test_when_writing_fails_half_way_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree").write_text("precious")

    def full(file, **arrays: object) -> None:
        file.write(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(FileError, match="No space left"):
        tumble.build(random_soup(3)).save(tmp_path / "tree")
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]
    assert (tmp_path / "tree").read_text() == "precious"


@pytest.mark.skipif(os.name == "nt", reason="no permission bits")
def test_a_saved_tree_is_as_readable_as_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        (tmp_path / "other").touch()
        tumble.build(random_soup(3)).save(tmp_path / "tree")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "tree").stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)
