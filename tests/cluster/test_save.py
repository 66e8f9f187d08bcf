"""Answers larger than memory go to a file, part by part; all or nothing."""

import os
import sys

import numpy as np
import pytest
from cluster_cases import COUNT, KNOT, RING, poses

import tumble
from tumble.cluster import save
from tumble.errors import FileError, MissingDependencyError, OptionError


def parts(**options):
    return tumble.collide_chunks(KNOT, RING, poses(1), rows=13, **options)


@pytest.mark.parametrize("options", [{}, {"clearance": 0.3}, {"contacts": True}, {"stats": True}], ids=str)
def test_zarr(tmp_path, options):
    zarr = pytest.importorskip("zarr")
    assert save(parts(**options), tmp_path / "found.zarr") == COUNT
    expected = tumble.collide_many(KNOT, RING, poses(1), first=False, **options)
    group = zarr.open_group(str(tmp_path / "found.zarr"), mode="r")
    np.testing.assert_array_equal(group["counts"][:], expected.counts)
    np.testing.assert_array_equal(group["triangles"][:], expected.triangles)
    assert ("distances.distances" in group) == ("clearance" in options)
    assert ("contacts.depths" in group) == ("contacts" in options)


@pytest.mark.parametrize("options", [{}, {"clearance": 0.3}], ids=str)
def test_parquet(tmp_path, options):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert save(parts(**options), tmp_path / "found.parquet") == COUNT
    expected = tumble.collide_many(KNOT, RING, poses(1), first=False, **options)
    table = parquet.read_table(str(tmp_path / "found.parquet"))
    np.testing.assert_array_equal(table["query"], np.repeat(np.arange(COUNT), expected.counts))
    np.testing.assert_array_equal(table["triangle_b"], expected.triangles[:, 1])
    if options:
        np.testing.assert_array_equal(table["distance"], expected.distances.distances)
    assert save(iter(()), tmp_path / "empty.parquet") == 0
    assert parquet.read_table(str(tmp_path / "empty.parquet")).num_rows == 0


@pytest.mark.parametrize("name", ["found.zarr", "found.parquet"])
def test_nothing_is_left_of_an_answer_that_fails(tmp_path, name):
    pytest.importorskip("zarr" if name.endswith("zarr") else "pyarrow")

    def failing():
        yield next(parts())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(failing(), tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_written(tmp_path, monkeypatch):
    with pytest.raises(OptionError, match=r"\.zarr or \.parquet"):
        save(parts(), tmp_path / "found.csv")
    (tmp_path / "found.zarr").mkdir()
    with pytest.raises(FileError, match="it exists"):
        save(parts(), tmp_path / "found.zarr")
    for module, name in (("zarr", "other.zarr"), ("pyarrow", "other.parquet")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingDependencyError, match=f"pip install {module}"):
            save(parts(), tmp_path / name)
    assert os.listdir(tmp_path) == ["found.zarr"]
