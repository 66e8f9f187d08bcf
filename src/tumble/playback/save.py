"""A recording to a file: the suffix says what kind."""

import os
from collections.abc import Callable
from pathlib import Path

from tumble.errors import FileError, OptionError
from tumble.mesh.files import AnyPath, as_path
from tumble.playback.gltf import as_glb
from tumble.playback.page import as_html
from tumble.playback.recording import Recording
from tumble.view.server import require_viser

SUFFIXES: dict[str, Callable[[Recording], bytes]] = {".html": as_html, ".glb": as_glb}


def check_target(path: AnyPath) -> Path:
    """Return the path if a recording can be saved there, or say why not: before hours of simulation, not after."""
    path = as_path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise OptionError(f"cannot save to {str(path)!r}: its name must end in {' or '.join(SUFFIXES)}")
    if path.suffix.lower() == ".html":
        require_viser()
    if path.is_dir():
        raise FileError(f"cannot save to {path}: it is a folder")
    if not path.parent.is_dir():
        raise FileError(f"cannot save to {path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"cannot save to {path}: no permission to write there")
    return path


def save(recording: Recording, path: AnyPath) -> int:
    """Write a page (.html) or an animated glTF (.glb) and return its size in bytes."""
    path = check_target(path)
    content = SUFFIXES[path.suffix.lower()](recording)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise FileError(f"cannot save to {path}: {error.strerror}") from error
    return len(content)
