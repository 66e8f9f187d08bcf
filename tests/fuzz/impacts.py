"""Moving elements against answers known by construction and the rational judge; steps of meshes against all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

import ccd_cases
import ccd_oracle
import tumble

from .meshes import awkward

Random = np.random.Generator
CALLS = {False: "vertex_face_impacts", True: "edge_edge_impacts"}


def case(rng: Random) -> None:
    """Ask about one family of queries, about random ones, or about a step of a mesh."""
    edges = bool(rng.random() < 0.5)
    kind = rng.integers(3)
    if kind == 0:
        name = str(rng.choice(list(ccd_cases.FAMILIES)))
        start, end, hits, until = ccd_cases.cases(rng, name, 20, edges, int(rng.integers(2, 40)))
        compare(start, end, edges, hits, until)
    elif kind == 1:
        start, end = whatever(rng, 6)
        hits = np.array([ccd_oracle.meets(*each, edges) for each in zip(start, end, strict=True)])
        compare(start, end, edges, hits, np.full(len(hits), np.inf))
    else:
        step(rng)


def whatever(rng: Random, count: int) -> Any:
    """Whole numbers, few or many, some points standing still and some repeated."""
    size = int(rng.choice([1, 2, 8, 1 << 30, 1 << 52]))
    both = rng.integers(-size, size + 1, (2, count, 4, 3))
    for k in range(count):
        if rng.random() < 0.3:
            both[1, k, rng.integers(4)] = both[0, k, rng.integers(4)]
        if rng.random() < 0.3:
            both[:, k, rng.integers(4)] = both[:, k, rng.integers(4)]
    return both * 2.0 ** rng.choice([0, 0, -1074, 270])


def compare(start: np.ndarray, end: np.ndarray, edges: bool, hits: np.ndarray, until: np.ndarray) -> None:
    """Compare both ways to decide with what is known."""
    for exact in (False, True):
        found = getattr(tumble, CALLS[edges])(start, end, exact=exact)
        wrong = (hits & ~found.hits) | (found.times > np.where(hits, until, np.inf))
        wrong |= ~hits & np.isfinite(found.latest)
        wrong |= (hits != found.hits) if exact else False
        if wrong.any():
            k = int(np.argmax(wrong))
            places = f"{start[k].tolist()} to {end[k].tolist()}"
            answer = f"{found.hits[k]} at {found.times[k]!r}, not {hits[k]} until {until[k]!r}"
            raise AssertionError(f"{CALLS[edges]} exact={exact}: {answer}: {places}")


def step(rng: Random) -> None:
    """A mesh against itself: candidates with the batch calls, and the first of them."""
    exact = bool(rng.random() < 0.3)
    mesh = awkward(rng, 5 if exact else 16)  # integers decide about all pairs in turn
    end = mesh.vertices[rng.permutation(len(mesh.vertices))]
    found = tumble.Deformable(mesh).time_of_impact(end, exact=exact)
    near = tumble.candidates(mesh, vertices_end=end)
    assert near.face_vertex is not None
    assert near.edge_edge is not None
    assert near.edges is not None
    faces = np.concatenate([near.face_vertex[:, 1:], mesh.faces[near.face_vertex[:, 0]]], axis=1)
    edges = near.edges[near.edge_edge].reshape(-1, 4)
    pairs = [
        getattr(tumble, CALLS[kind])(mesh.vertices[four], end[four], exact=exact)
        for kind, four in ((False, faces), (True, edges))
    ]
    first = min(each.times.min(initial=np.inf) for each in pairs)
    latest = min(each.latest.min(initial=np.inf) for each in pairs)
    # a search that ends at the earliest contact so far takes other steps: the intervals of both hold the contact
    agree = found.time == first if exact else found.time <= latest and first <= found.latest
    if not agree:
        raise AssertionError(f"time_of_impact exact={exact}: {found.time!r}, all pairs: {first!r} to {latest!r}")
