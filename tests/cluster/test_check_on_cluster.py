"""`check_parts` on a cluster finds the same; without Dask."""

import numpy as np
import pytest
from fake_connection import FakeConnection

import tumble
from tumble.clash import CheckSettings, check_parts
from tumble.clash.motion import check_motion
from tumble.cluster import Cluster
from tumble.scenario.assembly import assembly


@pytest.fixture
def cluster():
    with Cluster(FakeConnection(), chunk_rows=3) as found:
        yield found


def test_the_sample_assembly(cluster):
    said = []
    expected = check_parts(assembly(), CheckSettings(tolerance=0.05))
    settings = CheckSettings(tolerance=0.05, client=cluster)
    assert check_parts(assembly(), settings, report=lambda *progress: said.append(progress)) == expected
    assert {"pairs of bodies", "relating parts", "measuring"} <= {what for what, *_ in said}
    assert len(expected.findings) > 20


def test_a_motion(cluster):
    box, small = tumble.shapes.box(2.0), tumble.shapes.icosphere(1)
    parts = [
        tumble.Part("box", box),
        tumble.Part("ball", small),
        tumble.Part("other", tumble.transformed(box, np.eye(4))),
    ]
    track = {"ball": np.stack([tumble.translation(x, 0.1, 0.2) for x in (4.0, 1.2, 0.0)])}
    found = check_motion(parts, track, CheckSettings(client=cluster))
    assert found == check_motion(parts, track, CheckSettings())
    assert {one.name_b for one in found.findings} | {one.name_a for one in found.findings} == {"box", "ball", "other"}


def test_meshes_travel_once(cluster):
    check_parts(assembly(), CheckSettings(tolerance=0.05, client=cluster))
    assert len(cluster.connection.shared) == 1
