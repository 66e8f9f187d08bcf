"""Texts that a check reads beside its parts: rules, baselines, motions."""

from pathlib import Path

from tumble.errors import FileError
from tumble.mesh.formats import read_regular


def read_text(path: Path) -> str:
    """Return the text of a regular file; a FIFO, which may never end, or what is no text, is a FileError."""
    try:
        return read_regular(path).decode("utf-8")
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path} cannot be read as text in UTF-8: {error}") from error
    except ValueError as error:  # it names the file
        raise FileError(str(error)) from error
