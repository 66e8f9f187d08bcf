"""Checks to make pages of."""

from dataclasses import replace

from tumble.clash import check_parts
from tumble.clash.settings import CheckSettings
from tumble.mesh import Part, shapes, transformed, translation


def two_blocks(**changes):
    """A check of blocks that overlap by 2, a ball that touches nothing, and one more block that lies on the second."""
    block = shapes.box((10.0, 10.0, 10.0))
    parts = [
        Part("<b>block & co</b>", block),
        Part("second", transformed(block, translation(8.0, 0.0, 0.0))),
        Part("ball", transformed(shapes.icosphere(2, 3.0), translation(1000.0, 5.0, 2.0))),
        Part("same ball", transformed(shapes.icosphere(2, 3.0), translation(1008.0, 5.0, 2.0))),
        Part("Größe 0", transformed(shapes.box((10.0, 10.0, 4.0)), translation(8.0, 0.0, 7.0))),
    ]
    checked = check_parts(parts, CheckSettings())
    findings = [replace(finding, **changes) for finding in checked.findings]
    return replace(checked, findings=findings)
