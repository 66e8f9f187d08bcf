"""Where a benchmark writes its files."""

from __future__ import annotations

from pathlib import Path

from tumble.errors import FileError


def output_folder(out_dir: str | Path) -> Path:
    """Return the folder, made if need be, or say why it cannot be."""
    folder = Path(out_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {folder}: {error.strerror}; name a folder to write to") from error
    return folder
