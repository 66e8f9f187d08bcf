"""Files that are written whole or not at all."""

import os
import stat

import pytest

from tumble import FileError
from tumble.core.whole_files import check_writable, write_whole


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
        with pytest.raises(FileError, match=words):
            write_whole(path, b"")
    assert os.listdir(tmp_path) == []
