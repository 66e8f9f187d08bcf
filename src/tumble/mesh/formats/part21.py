"""The frame of an ISO 10303-21 file, as STEP and IFC files are: statements between a first and a last line."""

from pathlib import Path

from tumble.mesh.formats import read_regular


def read_part21(path: Path) -> bytes:
    """Return the content of a file that starts and ends as it should."""
    data = read_regular(path)
    if not data.lstrip().startswith(b"ISO-10303-21"):
        raise ValueError(f"it does not start with ISO-10303-21, as {path.suffix[1:].upper()} files do")
    if b"END-ISO-10303-21" not in data[-1000:]:
        raise ValueError("it does not end with END-ISO-10303-21: truncated")
    return data
