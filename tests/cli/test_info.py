"""`tumble info` and the help pages."""

import json
import sys
import types

import pytest
from typer.testing import CliRunner

import tumble
from tumble.cli import app
from tumble.core import kernel_cache


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def fresh_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "kernels"))
    kernel_cache.cache_folder.cache_clear()
    yield tmp_path / "kernels"
    kernel_cache.cache_folder.cache_clear()


def test_version():
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"tumble {tumble.__version__}\n")


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    assert all(word in result.stdout for word in ("check", "info", "bench"))


def test_info_as_json():
    result = run("info", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["versions"]["tumble"] == tumble.__version__
    assert found["versions"]["python"] == sys.version.split()[0]
    assert {"numpy", "numba", "llvmlite", "trimesh", "matplotlib", "pyopencl"} <= set(found["versions"])
    assert found["threads"] >= 1
    assert found["devices"]["cpu"]


def test_info_counts_compiled_kernels(fresh_cache_folder):
    folder = kernel_cache.cache_folder()
    (folder / "one.nbc").write_bytes(b"x" * 2_000_000)
    (folder / ".writing-two").write_bytes(b"x")
    cache = json.loads(run("info", "--json").stdout)["cache"]
    assert cache == {"folder": str(folder), "writable": True, "kernels": 1, "bytes": 2_000_000}
    assert f"{folder} (1 kernel, 2.0 MB)" in run("info").stdout


def test_info_says_when_nothing_can_be_cached(monkeypatch, fresh_cache_folder):
    fresh_cache_folder.write_text("a file where the folder should be")
    assert json.loads(run("info", "--json").stdout)["cache"]["writable"] is False
    text = run("info").stdout
    assert str(fresh_cache_folder) in text
    assert "TUMBLE_CACHE_DIR" in text


def fake_opencl(platforms):
    module = types.ModuleType("pyopencl")
    module.Error = type("Error", (Exception,), {})

    def get_platforms():
        if platforms is None:
            raise module.Error("no driver")
        return platforms

    module.get_platforms = get_platforms
    return module


def test_info_lists_opencl_devices(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    assert "pyopencl is not installed" in run("info").stdout
    monkeypatch.setitem(sys.modules, "pyopencl", fake_opencl(None))
    assert "no driver found" in run("info").stdout
    platform = types.SimpleNamespace(name="Somebody's platform ")
    device = types.SimpleNamespace(name=" Fast 9000", platform=platform)
    platform.get_devices = lambda: [device]
    monkeypatch.setitem(sys.modules, "pyopencl", fake_opencl([platform]))
    assert json.loads(run("info", "--json").stdout)["devices"]["opencl"] == ["Fast 9000 (Somebody's platform)"]
