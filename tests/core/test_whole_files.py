"""Files that are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from tumble import FileError
from tumble.core.whole_files import check_writable, write_all, write_whole


def test_a_file_is_made_and_replaced(tmp_path):
    path = tmp_path / "out.csv"
    write_whole(path, b"one")
    assert path.read_bytes() == b"one"
    path.chmod(0o640)
    write_whole(path, b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o640)
    assert os.listdir(tmp_path) == ["out.csv"]


@pytest.mark.parametrize("raised", [KeyboardInterrupt, OSError("full"), MemoryError])
def test_what_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, raised):
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")

    def fail(*arguments):
        raise raised

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises((KeyboardInterrupt, FileError, MemoryError)):
        write_whole(path, b"new")
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["out.csv"])


def test_targets_that_cannot_be_written_are_named(tmp_path):
    for path, words in ((tmp_path, "it is a folder"), (tmp_path / "no" / "out.csv", "there is no folder")):
        with pytest.raises(FileError, match=words):
            check_writable(path)
        with pytest.raises(FileError, match=words) as caught:
            write_whole(path, b"")
        assert str(caught.value).count("cannot write to") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path, exists):
    target, link = tmp_path / "folder" / "out.csv", tmp_path / "link.csv"
    target.parent.mkdir()
    if exists:
        target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["folder", "link.csv"]
    assert os.listdir(target.parent) == ["out.csv"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_a_descriptor_is_written_to_and_not_replaced(tmp_path):
    link = tmp_path / "stdout"
    with open(tmp_path / "captured", "wb", buffering=0) as file:
        link.symlink_to(f"/proc/self/fd/{file.fileno()}")
        file.write(b"before ")
        write_whole(link, b"csv ")
        file.write(b"after")
    assert link.is_symlink()
    assert (tmp_path / "captured").read_bytes() == b"before csv after"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_the_descriptor_of_another_process_is_not_one_of_ours(tmp_path):
    target = tmp_path / "theirs.csv"
    with open(target, "wb") as file:
        write_whole(Path(f"/proc/{os.getpid()}/fd/{file.fileno()}"), b"csv")  # by its number, as of any process
    assert target.read_bytes() == b"csv"
    assert os.listdir(tmp_path) == ["theirs.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("first", [True, False])
def test_of_several_files_all_are_written_or_none(tmp_path, first):
    path, full = tmp_path / "out.csv", Path("/dev/full")
    contents = {path: b"csv", full: b"page"} if first else {full: b"page", path: b"csv"}
    with pytest.raises(FileError, match="cannot write to /dev/full"):
        write_all(contents)
    assert os.listdir(tmp_path) == []
    write_all({path: b"csv", tmp_path / "out.html": b"page"})
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "out.html"]


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit, FileError("the output cannot be written")])
def test_what_fails_meanwhile_leaves_no_file(tmp_path, raised):
    seen = []

    def meanwhile():
        seen.extend(path.read_bytes() for path in tmp_path.iterdir())
        raise raised

    with pytest.raises((KeyboardInterrupt, SystemExit, FileError)):
        write_all({tmp_path / "out.csv": b"csv", tmp_path / "out.html": b"page"}, meanwhile)
    assert sorted(seen) == [b"csv", b"page"]
    assert os.listdir(tmp_path) == []
