"""Colours that tell bodies apart: hues along the order of the bodies, light and less light in turn."""

import numpy as np
from numpy.typing import NDArray

STATIC = (0.78, 0.02, 85.0)
"""lightness, chroma and hue (degrees) of what does not move: the grey of warm stone"""
FIRST_HUE, LAST_HUE = 25.0, 300.0
"""from red over yellow, green and blue to violet; neighbours in number are neighbours in hue"""
LIGHTNESS = (0.68, 0.60, 0.74)
CHROMA = 0.14


def body_colours(movable: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return (n, 3) red, green and blue, for bodies that move or do not."""
    rank = np.cumsum(movable) - 1
    share = rank / max(int(movable.sum()) - 1, 1)
    wanted = np.empty((len(movable), 3))
    wanted[:, 0] = np.array(LIGHTNESS)[rank % len(LIGHTNESS)]
    wanted[:, 1] = CHROMA
    wanted[:, 2] = FIRST_HUE + share * (LAST_HUE - FIRST_HUE)
    wanted[~movable] = STATIC
    return as_rgb(wanted)


def as_rgb(oklch: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return sRGB bytes of colours in OKLCH, where equal steps look equal; what no screen shows is clipped."""
    lightness, chroma, hue = oklch.T
    a, b = chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue))
    cones = np.stack(
        [
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
        ]
    )
    linear = _CONES_TO_LINEAR @ cones**3
    linear = np.clip(linear, 0.0, 1.0)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(255.0 * encoded).astype(np.uint8).T


_CONES_TO_LINEAR = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)
