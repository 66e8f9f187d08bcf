"""What any format may hold: numbers that are none, parts without size, names that are markup; and files that change."""

import json
import os

import numpy as np
import pytest
from small_files import HIGH, LOW, NAMED, SMALL, gltf_tree

from tumble.errors import FileError
from tumble.mesh import load_assembly, load_parts
from tumble.mesh.formats import threemf
from tumble.mesh.names import MAX_LENGTH

MARKUP = "<img src=x onerror=alert(1)>&\"' λ 😀 ../../etc"


def written(folder, kind, parts, stem="file"):
    path = folder / f"{stem}.{kind}"
    path.write_bytes(SMALL[kind](parts))
    return path


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e300])
def test_what_is_no_coordinate_is_refused(tmp_path, kind, number):
    assert load_parts(written(tmp_path, kind, [("a", LOW), ("b", HIGH)]))
    if kind == "gltf" and number == 1e300:
        return  # float32 has no such number
    path = written(tmp_path, kind, [("a", LOW), ("b", [[number, 0.0, 0.0], *LOW[1:]])])
    with pytest.raises(FileError, match=r"(?i)nan|inf|finite|range") as caught:
        load_parts(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("kind", SMALL)
def test_parts_without_size_are_parts(tmp_path, kind):
    point = [[0.0, 0.0, 0.0]] * 3
    parts = load_assembly(written(tmp_path, kind, [("a", point), ("b", point)])).parts
    assert len(parts) == (2 if kind in NAMED else 1)
    for part in parts:
        assert np.array_equal(part.mesh.bounds, np.zeros((2, 3)))


@pytest.mark.parametrize("kind", NAMED)
def test_names_are_kept_as_they_are(tmp_path, kind):
    same = kind not in ("obj", "urdf")  # there, one name is one part
    path = written(tmp_path, kind, [(MARKUP, LOW), (MARKUP if same else "other", HIGH)])
    assert [part.name for part in load_assembly(path).parts] == [MARKUP, MARKUP + "#2" if same else "other"]


def test_names_that_cannot_be_printed_or_are_endless(tmp_path):
    names = ["line\nfeed\x1b[31m", "half \ud800", "x" * 5000, "x" * 5000]
    path = tmp_path / "names.gltf"
    path.write_text(json.dumps(gltf_tree([(name, LOW) for name in names])))
    found = [part.name for part in load_parts(path)]
    assert found[:2] == ["line\ufffdfeed\ufffd[31m", "half \ufffd"]
    assert found[2] == "x" * (MAX_LENGTH - 1) + "…"
    assert found[3] == found[2] + "#2"
    "".join(found).encode()


def test_a_file_that_changes_while_it_is_read(tmp_path, monkeypatch):
    path = written(tmp_path, "stl", [("a", LOW)])
    plain = os.fdopen

    class Changing:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.file.close()

        def fileno(self):
            return self.file.fileno()

        def read(self, size):
            data = self.file.read(size)
            path.write_bytes(data + b" ")
            return data

    monkeypatch.setattr("os.fdopen", lambda *arguments: Changing(plain(*arguments)))
    with pytest.raises(FileError, match="changed while it was read"):
        load_parts(path)


def test_an_archive_that_changes_while_it_is_read(tmp_path, monkeypatch):
    path = written(tmp_path, "3mf", [("a", LOW)])

    def late(*arguments):
        path.write_bytes(path.read_bytes() + b" ")
        return []

    monkeypatch.setattr(threemf, "expand", late)
    with pytest.raises(FileError, match="changed while it was read"):
        load_parts(path)


@pytest.mark.parametrize("uri", ["../secret.bin", "%2e%2e/secret.bin", "{outside}", "link.bin", "file:///etc/passwd"])
def test_gltf_opens_nothing_outside_of_its_folder(tmp_path, uri):
    inside = tmp_path / "asset"
    inside.mkdir()
    secret = tmp_path / "secret.bin"
    secret.write_bytes(bytes(36))
    (inside / "link.bin").symlink_to(secret)
    tree = gltf_tree([("a", LOW)])
    tree["buffers"][0]["uri"] = uri.format(outside=secret)
    (inside / "a.gltf").write_text(json.dumps(tree))
    with pytest.raises(FileError, match=r"outside of its folder|only files beside it"):
        load_parts(inside / "a.gltf")
    (inside / "near").mkdir()
    (inside / "near" / "own.bin").write_bytes(bytes(36))
    tree["buffers"][0]["uri"] = "near/../near/own.bin"
    (inside / "a.gltf").write_text(json.dumps(tree))
    assert len(load_parts(inside / "a.gltf")) == 1


def test_obj_opens_no_material_file(tmp_path, monkeypatch):
    path = written(tmp_path, "obj", [("a", LOW)])
    opened = []
    plain = os.open
    monkeypatch.setattr("os.open", lambda path, *rest: opened.append(str(path)) or plain(path, *rest))
    load_parts(path)
    assert opened == [str(path)]
