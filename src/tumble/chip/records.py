"""Triangle records: the matrix that takes a triangle to the unit triangle, and its vertices, in float32."""

import numpy as np
from numpy.typing import NDArray

from tumble.chip.image import FLAGS_WORD, MATRIX_WORDS, TRIANGLE, TRIANGLE_WORD, VERTEX_WORDS, whole
from tumble.mesh import Mesh
from tumble.narrow.triangles.unit_matrix import single_matrices


def write_records(lines: NDArray[np.float32], mesh: Mesh, triangles: NDArray[np.int64]) -> None:
    """Write the named triangles of a mesh into as many lines."""
    lines[:, MATRIX_WORDS] = single_matrices(mesh)[triangles]
    lines[:, VERTEX_WORDS] = mesh.triangles[triangles].reshape(-1, 9)
    words = whole(lines)
    words[:, FLAGS_WORD] = TRIANGLE
    words[:, TRIANGLE_WORD] = triangles
