"""`tumble info`, `tumble bench` and the help pages."""

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
    assert "stackless" in run("bench", "--help").stdout


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


def claim(statement, verdict, broken=False):
    return {
        "statement": statement,
        "broken": broken,
        "paper": {"verdict": "holds", "numbers": "1"},
        "ours": {"verdict": verdict, "numbers": "2"},
    }


@pytest.mark.parametrize("ok", [True, False])
def test_bench_runs_and_sums_up(monkeypatch, tmp_path, ok):
    asked = []

    def fake_run(out_dir, quick=False, progress=None):
        progress(1, 2, "a scene")
        asked.append((out_dir, quick))
        claims = [claim("Trees are faster.", "holds"), claim("Counts agree.", "does not hold", broken=not ok)]
        return {"ok": ok, "claims": claims}

    monkeypatch.setattr("tumble.bench.stackless.run", fake_run)
    result = run("bench", "stackless", "--quick", "--out", str(tmp_path / "results"))
    assert result.exit_code == (0 if ok else 1)
    assert asked == [(tmp_path / "results", True)]
    assert str(tmp_path / "results" / "index.html") in result.stdout
    assert "1 holds, 1 does not hold" in result.stdout
    assert ("a fault in Tumble" in result.stdout) is not ok


def test_bench_says_why_it_cannot_write(tmp_path):
    (tmp_path / "file").touch()
    result = run("bench", "stackless", "--quick", "--out", str(tmp_path / "file" / "results"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
