"""A spur gear with involute teeth."""

from math import pi, radians, sqrt

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import arctangent, cosines, sines
from tumble.core.products import lengths
from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import check_triangles, finite, positive, whole
from tumble.mesh.shapes.grid import capped_faces, grid_faces, lifted

_PRESSURE_ANGLE = radians(20)
_FLANK_STEPS = 4
_TRIANGLES_PER_TOOTH = 20 * _FLANK_STEPS


def gear(teeth: int = 16, module: float = 0.125, bore: float = 0.3, thickness: float = 0.4) -> Mesh:
    """Return a gear about the z axis: 20° involute teeth, a round bore, `thickness` along z.

    Its pitch radius is module · teeth / 2: gears of one module mesh when their axes are the sum of theirs
    apart. The teeth reach one module above and 1.25 below it. `bore` is the radius of the hole, 0 for none.
    """
    teeth, module = whole("teeth", teeth, 6), positive("module", module)
    bore, thickness = finite("bore", bore), positive("thickness", thickness)
    check_triangles(_TRIANGLES_PER_TOOTH * teeth)
    outline = _outline(teeth, module)
    root = float(lengths(outline).min()) * cosines(pi / teeth)  # the chord between teeth dips a little lower
    if not 0 <= bore < root:
        raise OptionError(f"bore must be 0 or more and smaller than the root circle {root:.6g}, not {bore}")
    return _extruded(outline, bore, thickness)


def _outline(teeth: int, module: float) -> NDArray[np.float64]:
    """Return the counter-clockwise points of the rim; their polar angles strictly grow."""
    radii, half_angles = _flank(teeth, module)
    tooth_radii = np.concatenate([radii, radii[::-1]])
    tooth_angles = np.concatenate([-half_angles, half_angles[::-1]])
    angle = (2 * pi * np.arange(teeth)[:, None] / teeth + tooth_angles).ravel()
    radius = np.tile(tooth_radii, teeth)
    return np.stack([radius * cosines(angle), radius * sines(angle)], axis=1)


def _flank(teeth: int, module: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return radii from root to tip, and half the tooth's angle at each of them."""
    pitch = module * teeth / 2
    base = pitch * cosines(_PRESSURE_ANGLE)
    root, tip = pitch - 1.25 * module, pitch + module
    radii = np.linspace(max(base, root), tip, _FLANK_STEPS)
    half = pi / (2 * teeth) + _involute(base, pitch)
    half_angles = np.array([half - _involute(base, radius) for radius in radii.tolist()])
    if root >= base:
        return radii, half_angles
    # Below the base circle there is no involute: the flank widens towards the root, like a fillet.
    foot = half_angles[0] + 0.3 * (pi / teeth - half_angles[0])
    return np.concatenate([[root], radii]), np.concatenate([[foot], half_angles])


def _involute(base: float, radius: float) -> float:
    """Return tan α − α for the pressure angle α at a radius: cos α = base / radius."""
    tangent = sqrt(max(0.0, (radius - base) * (radius + base))) / base
    return tangent - arctangent(tangent)


def _extruded(outline: NDArray[np.float64], bore: float, thickness: float) -> Mesh:
    n, half = len(outline), thickness / 2
    rim = [lifted(outline, -half), lifted(outline, half)]
    if bore == 0:
        return Mesh(np.concatenate([*rim, [[0.0, 0.0, -half], [0.0, 0.0, half]]]), capped_faces(2, n))
    # The bore has a point under every point of the rim, so that each cap is a ring of quads.
    hole = outline * (bore / lengths(outline))[:, None]
    profile = [*rim, lifted(hole, half), lifted(hole, -half)]
    return Mesh(np.concatenate(profile), grid_faces(4, n, True, True)[:, ::-1])
