"""Parts of an answer to a file, one after the other: Zarr or Parquet. The file appears when it is complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.tables import table_to_arrays
from tumble.errors import FileError, MissingDependencyError, OptionError
from tumble.mesh.reading import AnyPath, as_path
from tumble.query.answer import PairTable

ROWS_OF_A_ZARR_CHUNK = 1 << 18
Parts = Iterable[tuple[int, PairTable]]


def save(parts: Parts, path: AnyPath) -> int:
    """Write the parts that `tumble.collide_chunks` yields to a new file or folder; return how many queries they have.

    .zarr     a group of arrays: counts, (n,), triangles, (k, 2), and distances and contacts where they were asked for
    .parquet  a table with a row for each pair of triangles: query, triangle_a, triangle_b, and distance where asked for

    Only one part is in memory at a time.
    """
    path = as_path(path)
    writers: dict[str, Callable[[Parts, Path], int]] = {".zarr": _write_zarr, ".parquet": _write_parquet}
    write = writers.get(path.suffix.lower())
    if write is None:
        raise OptionError(f"cannot save to {path}: its name must end in {' or '.join(writers)}")
    if path.exists():
        raise FileError(f"cannot write to {path}: it exists; remove it, or choose another name")
    beside = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        count = write(parts, beside)
        os.replace(beside, path)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot write to {path}: {error.strerror or error}") from error
    finally:
        if beside.is_dir():
            shutil.rmtree(beside, ignore_errors=True)
        else:
            beside.unlink(missing_ok=True)
    return count


def _write_zarr(parts: Parts, folder: Path) -> int:
    try:
        import zarr
    except ImportError as error:
        raise MissingDependencyError("a .zarr folder needs zarr: pip install zarr") from error
    group, count = zarr.open_group(str(folder), mode="w"), 0
    arrays: dict[str, Any] = {}
    for _, table in parts:
        for name, array in table_to_arrays(table).items():
            if name == "stats":
                continue
            if name not in arrays:
                shape = (0, *array.shape[1:])
                chunk = (ROWS_OF_A_ZARR_CHUNK, *array.shape[1:])
                arrays[name] = group.create_array(name, shape=shape, chunks=chunk, dtype=array.dtype)
            arrays[name].append(np.asarray(array))
        count += len(table)
    return count


def _write_parquet(parts: Parts, file: Path) -> int:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError("a .parquet file needs pyarrow: pip install pyarrow") from error
    writer, count = None, 0
    try:
        for start, table in parts:
            rows = pyarrow.table(_columns(start, table))
            writer = writer or pyarrow.parquet.ParquetWriter(str(file), rows.schema)
            writer.write_table(rows)
            count += len(table)
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        pyarrow.parquet.write_table(pyarrow.table(_columns(0, _EMPTY)), str(file))
    return count


_EMPTY = PairTable(np.empty(0, np.int64), np.empty((0, 2), np.int64))


def _columns(start: int, table: PairTable) -> dict[str, NDArray[Any]]:
    queries = np.repeat(np.arange(start, start + len(table)), table.counts)
    columns: dict[str, NDArray[Any]] = {
        "query": queries,
        "triangle_a": table.triangles[:, 0],
        "triangle_b": table.triangles[:, 1],
    }
    if table.distances is not None:
        columns["distance"] = table.distances.distances
    return columns
