"""Kernels of the package `tumble-kernels`: used where they fit, never where they do not."""

import json
import subprocess
import sys
import zipfile

import pytest
from tiny_kernel import RUN_TINY, TINY, environment

import tumble
from tumble.core import kernel_bundle
from tumble.core.kernel_bundle import MANIFEST, PACKAGE, SWITCH, lookup
from tumble.tools.kernels import ahead_of_time, packed

pytestmark = pytest.mark.process


def run(cache, *paths, **others):
    """Add ten numbers in a process of its own; return how often a kernel was found, and how often compiled."""
    own = {**environment(cache, *paths), **others}
    done = subprocess.run([sys.executable, "-c", RUN_TINY], env=own, capture_output=True, text=True, check=True)
    return tuple(map(int, done.stdout.split()))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a module of one kernel, and one with the unpacked wheel of it."""
    module, cache, site = (tmp_path_factory.mktemp(name) for name in ("module", "cache", "site"))
    (module / "tiny.py").write_text(TINY)
    made_in = ahead_of_time(cache)
    assert run(cache, module, **made_in) == (0, 1)
    wheel = packed(tmp_path_factory.mktemp("dist"), cache, made_in)
    with zipfile.ZipFile(wheel) as files:
        files.extractall(site)
        assert files.testzip() is None
    return module, site, wheel


def test_a_kernel_is_found_in_the_package_and_not_compiled(made, tmp_path):
    module, site, _ = made
    assert run(tmp_path / "new", module, site) == (1, 0)
    assert not list((tmp_path / "new").glob("*/*.nbc"))
    # what was compiled for this processor comes first; with the package switched off, all is
    assert run(tmp_path / "own", module, site, **{SWITCH: "0"}) == (0, 1)
    assert run(tmp_path / "own", module, site) == (1, 0)


def test_with_another_source_it_is_compiled(made, tmp_path):
    _, site, _ = made
    other = tmp_path / "module"
    other.mkdir()
    (other / "tiny.py").write_text(TINY.replace("0.0", "0.00"))
    assert run(tmp_path / "cache", other, site) == (0, 1)


def test_damaged_kernels_are_compiled_anew(made, tmp_path):
    module, site, _ = made
    folder = tmp_path / PACKAGE
    folder.mkdir()
    for path in (site / PACKAGE).iterdir():
        content = path.read_bytes()
        (folder / path.name).write_bytes(content[:-1] + b"?" if path.suffix == ".nbc" else content)
    assert run(tmp_path / "new", module, tmp_path) == (0, 1)


def test_the_wheel_can_be_installed(made, tmp_path):
    _, _, wheel = made
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(tmp_path), str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    manifest = json.loads((tmp_path / PACKAGE / MANIFEST).read_text())
    assert manifest["tumble"] == tumble.__version__
    assert manifest["kernels"] == len(list((tmp_path / PACKAGE).glob("*.nbc"))) == 1


def changed(manifest, **values):
    return {**manifest, **values}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda manifest: manifest, "1 of tumble-kernels, for"),
        (lambda manifest: changed(manifest, features=["avx9000"]), "for processors with avx9000"),
        (lambda manifest: changed(manifest, made_with={"numba": "0.1"}), "is for numba 0.1, and this is"),
        (lambda manifest: changed(manifest, made_with={"python": "cpython 2.7"}), "is for python cpython 2.7"),
        (lambda manifest: changed(manifest, target=[]), "cannot be read"),
        (lambda manifest: [], "cannot be read"),
    ],
)
def test_a_package_that_does_not_fit_is_left_alone(made, tmp_path, monkeypatch, change, said):
    folder = tmp_path / PACKAGE
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    manifest = json.loads((made[1] / PACKAGE / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(change(manifest)))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(kernel_bundle, "lookup", lookup.__wrapped__)
    found = kernel_bundle.lookup()
    assert said in found.words
    assert (found.bundle is None) == (change(manifest) != manifest)


def test_there_is_no_baseline_for_unknown_processors():
    with pytest.raises(ValueError, match="no baseline for processors of the kind 'vax'"):
        kernel_bundle.baseline("VAX".lower())
    assert kernel_bundle.baseline("AMD64")[0] == "x86-64-v3"
