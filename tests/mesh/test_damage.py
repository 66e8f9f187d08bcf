"""Every format × random damage: an error of Tumble's or an answer, and nothing else; undamaged files give the truth."""

import contextlib

import numpy as np
import pytest
from damage import damaged
from valid_files import WRITERS, valid_files

from covering import sized
from tumble.errors import FileError
from tumble.mesh import load, load_parts


@pytest.mark.parametrize("seed", range(5))
def test_valid_files_have_the_parts_and_triangles_that_were_written(tmp_path, seed):
    for file in valid_files(np.random.default_rng(seed)):
        path = tmp_path / file.name
        path.write_bytes(file.data)
        parts = load_parts(path)
        assert (len(parts), sum(len(part.mesh) for part in parts)) == (file.parts, file.triangles), file.name
        assert len({part.name for part in parts}) == len(parts)
        assert len(load(path)) == file.triangles
        assert len(load_parts(path, split=False)) == 1


@sized(quick=1, slow=4)
@pytest.mark.parametrize("name", WRITERS)
def test_damage_is_an_error_of_ours_or_an_answer(tmp_path, name, count):
    read = 0
    for seed in range(count):
        rng = np.random.default_rng(seed)
        (file,) = (each for each in valid_files(rng) if each.name == name)
        for _ in range(40):
            (tmp_path / name).write_bytes(damaged(rng, file.data))
            with contextlib.suppress(FileError):
                load_parts(tmp_path / name)
                read += 1
    assert read < 20 * count


@sized(10, 60)
@pytest.mark.parametrize("name", WRITERS)
def test_no_truncation_gives_fewer_triangles(tmp_path, name, count):
    """Only the end of a text may be lost: a digit of the last number, or the last line feed."""
    (file,) = (each for each in valid_files(np.random.default_rng(3)) if each.name == name)
    step = max(1, len(file.data) // count)
    for cut in [*range(0, len(file.data), step), *range(len(file.data) - count // 2, len(file.data))]:
        (tmp_path / name).write_bytes(file.data[:cut])
        found = None
        with contextlib.suppress(FileError):
            found = len(load(tmp_path / name))
        if found is not None and name != "groups.obj":  # that format has no counts
            assert found == file.triangles
            assert len(file.data) - cut < 20
