"""Damage done to files.

    path.with_name(file.name).write_bytes(damaged(rng, file.data))      # an error of Tumble's, or an answer

`damaged` cuts, flips, repeats, swaps and overwrites; every third time it does so inside the members of a zip archive,
whose check sums are made right again, since damage to the archive itself rarely gets as far as the reader.
"""

import io
import struct
import zipfile

import numpy as np
from valid_files import zipped


def damaged(rng: np.random.Generator, data: bytes) -> bytes:
    """Return the bytes with one to four kinds of damage."""
    if data[:2] == b"PK" and rng.integers(3) == 0:
        return _damaged_members(rng, data)
    for _ in range(int(rng.integers(1, 5))):
        data = _DAMAGES[int(rng.integers(len(_DAMAGES)))](rng, data)
    return data


def _cut(rng: np.random.Generator, data: bytes) -> bytes:
    return data[: int(rng.integers(0, len(data) + 1))]


def _flipped(rng: np.random.Generator, data: bytes) -> bytes:
    noisy = bytearray(data)
    for at in rng.integers(0, max(len(noisy), 1), int(rng.integers(1, 8))).tolist() if noisy else []:
        noisy[at] ^= 1 << int(rng.integers(8))
    return bytes(noisy)


def _overwritten(rng: np.random.Generator, data: bytes) -> bytes:
    """Write a number that sizes and offsets rarely have over four bytes."""
    if len(data) < 4:
        return data
    at = int(rng.integers(0, len(data) - 3))
    value = [0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, len(data)][int(rng.integers(6))]
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


def _digits_changed(rng: np.random.Generator, data: bytes) -> bytes:
    """Replace a run of digits: counts, indices and sizes in text."""
    places = [at for at, byte in enumerate(data) if 48 <= byte < 58]
    if not places:
        return data
    start = end = places[int(rng.integers(len(places)))]
    while end < len(data) and 48 <= data[end] < 58:
        end += 1
    odd = [b"", b"0", b"-1", b"4294967296", b"999999999999999999999", b"1e999", b"nan", b"12"]
    return data[:start] + odd[int(rng.integers(len(odd)))] + data[end:]


def _piece(rng: np.random.Generator, data: bytes) -> tuple[int, int]:
    start, end = sorted(rng.integers(0, len(data) + 1, 2).tolist())
    return start, min(end, start + 400)


def _removed(rng: np.random.Generator, data: bytes) -> bytes:
    start, end = _piece(rng, data)
    return data[:start] + data[end:]


def _repeated(rng: np.random.Generator, data: bytes) -> bytes:
    start, end = _piece(rng, data)
    return data[:end] + data[start:end] * int(rng.integers(1, 30)) + data[end:]


def _swapped(rng: np.random.Generator, data: bytes) -> bytes:
    a, b, c = sorted(rng.integers(0, len(data) + 1, 3).tolist())
    return data[:a] + data[b:c] + data[a:b] + data[c:]


_DAMAGES = [_cut, _flipped, _flipped, _overwritten, _digits_changed, _digits_changed, _removed, _repeated, _swapped]


def _damaged_members(rng: np.random.Generator, data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # it was damaged before
        return _flipped(rng, data)
    names = sorted(members)
    name = names[int(rng.integers(len(names)))]
    members[name] = damaged(rng, members[name])
    if rng.integers(5) == 0:
        members.pop(names[int(rng.integers(len(names)))])
    return zipped(members)
