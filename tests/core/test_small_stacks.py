"""Threads with little stack: Python gives as little as 32 KB to those that ask, and 64 KB must be enough for all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tumble

pytestmark = pytest.mark.process

SETUP = """
import threading, numpy as np, tumble
from tumble.mesh import shapes, random_pose
a, b, few = shapes.icosphere({fineness}), shapes.torus(), shapes.icosphere({fineness} - 1)
pose = tumble.translation(0.6, 0.0, 0.0)
poses = np.stack([random_pose(seed, 1.0) for seed in range({count})])
rays = np.random.default_rng(0).normal(size=(8 * {count}, 3))
planes = np.array([[1.0, 0.2, 0.1, 0.3]])
CALLS = {calls}
for name, call in CALLS.items():
    print(name, flush=True)  # so that a crash has one
    expected = call()  # on the large stack of the main thread, where kernels are compiled as well
    for stack in {stacks}:
        found = []
        threading.stack_size(stack)
        thread = threading.Thread(target=lambda: found.append(call()))
        thread.start()
        thread.join()
        threading.stack_size(0)  # as the system has it, for threads of Tumble's own
        assert len(found) == 1 and np.array_equal(found[0], expected), (stack, found)
"""
CALLS = {
    **{
        f"boxtree {test}": f"tumble.collide(a, b, None, pose, settings=tumble.BoxtreeSettings('{test}')).pairs"
        for test in ("axis", "lookup", "sat", "sat-lite")
    },
    "boxtree many": "tumble.collide_many(a, b, poses, first=False, tree='boxtree').triangles",
    "boxtree build": "tumble.build(tumble.Mesh(a.vertices, a.faces), 'boxtree').order",
    "boxtree rays": "tumble.cast_rays(a, rays, -rays, tree='boxtree').triangles",
    "boxtree frustum": "tumble.inside_frustum(a, planes, tree='boxtree')",
    "packed": "tumble.collide(a, b, None, pose).pairs",
    "packed many": "tumble.collide_many(a, b, poses, first=False).triangles",
    "packed build": "tumble.cast_rays(tumble.Mesh(a.vertices, a.faces), rays, -rays).triangles",
    "packed frustum": "tumble.inside_frustum(a, planes)",
    "contacts": "tumble.collide(a, b, None, pose, contacts=True).contacts.depths",
    "self": "tumble.self_collide(b, candidates=True).pairs",
    "stack": "tumble.collide(a, b, None, pose, method='stack').pairs",
    "exact": "tumble.collide(few, few, None, tumble.rotation((0, 0, 1), 1e-9), method='stack').pairs",
    "obb": "tumble.build(tumble.Mesh(a.vertices, a.faces), 'obb').order",
    "bulk": "tumble.collide(a, b, None, pose, method='bulk').pairs",
    "front": "tumble.collide(a, b, None, pose, method='front').pairs",
    "candidates": "tumble.candidates(b).edge_edge",
}


@pytest.mark.parametrize(
    ("stacks", "fineness", "count"), [((65536,), 2, 12), pytest.param((131072, 65536), 3, 100, marks=pytest.mark.slow)]
)
def test_queries_in_threads_with_little_stack(stacks, fineness, count):
    calls = "{" + ", ".join(f"{name!r}: lambda: {call}" for name, call in CALLS.items()) + "}"
    paths = os.pathsep.join([str(Path(tumble.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run(
        [sys.executable, "-c", SETUP.format(calls=calls, stacks=stacks, fineness=fineness, count=count)],
        env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert process.returncode == 0, (process.returncode, process.stdout.split("\n")[-2:], process.stderr)
    assert process.stdout.splitlines() == list(CALLS)
