"""Meshes as files for `tumble check`, and what it says about them."""

import json

from typer.testing import CliRunner

from tumble.cli import app


def write(path, mesh):
    """An OFF file, which keeps every bit."""
    rows = [f"{x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    rows += [f"3 {i} {j} {k}" for i, j, k in mesh.faces.tolist()]
    path.write_text("\n".join(["OFF", f"{len(mesh.vertices)} {len(mesh)} 0", *rows, ""]))
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def checked(folder, *options, **meshes):
    """The exit code, the text and the JSON object."""
    files = [write(folder / f"{name}.off", mesh) for name, mesh in meshes.items()]
    text, found = run(*files, *options), run(*files, *options, "--json")
    assert text.exit_code == found.exit_code
    return text.exit_code, text.stdout, json.loads(found.stdout)
