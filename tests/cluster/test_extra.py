"""Dask is an extra: nothing imports it unless asked, and where it is missing the extra is named."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tumble import cluster
from tumble.errors import MissingDependencyError, OptionError

CODE = """
import sys, numpy as np, tumble, tumble.cluster, tumble.cli.check
tumble.collide_many(tumble.shapes.box(), tumble.shapes.box(), [np.eye(4)])
print([name for name in ("dask", "distributed", "zarr", "pyarrow") if name in sys.modules])
"""


def test_nothing_imports_dask_unless_asked():
    found = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_two_files_know_dask():
    pattern = re.compile(r"^\s*(import|from) (dask|distributed)\b", re.MULTILINE)
    folder = Path(cluster.__file__).parents[1]
    known = {path.name for path in folder.rglob("*.py") if pattern.search(path.read_text("utf-8"))}
    assert known == {"dask_connection.py", "dask_start.py"}


@pytest.mark.parametrize("missing", ["dask", "distributed"])
def test_a_missing_extra_is_named(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    for start in (lambda: cluster.local(2), lambda: cluster.connect("tcp://127.0.0.1:8786")):
        with pytest.raises(MissingDependencyError, match=r'pip install "tumble\[cluster\]"'):
            start()


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "2", None])
def test_numbers_of_workers(wrong):
    with pytest.raises(OptionError, match="workers must be a whole number"):
        cluster.local(wrong)


def test_options_of_a_cluster():
    for wrong in ({"chunk_rows": 0}, {"chunk_rows": 1.5}, {"chunk_seconds": 0}, {"chunk_seconds": "1"}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            cluster.Cluster(object(), **wrong)
    with pytest.raises(OptionError, match="address"):
        cluster.connect(8786)
