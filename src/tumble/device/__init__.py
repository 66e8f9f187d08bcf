"""Traversals on OpenCL devices: binary stack, bulk and front.

`protocol` says what host code needs from a device, `opencl` implements it; `host/` holds the host code of each
traversal, `kernels/` its OpenCL code. `import tumble` does not import PyOpenCL.
"""

from tumble.device.opencl import devices
from tumble.device.protocol import Device
from tumble.device.timings import DeviceTimings, measured

__all__ = ["Device", "DeviceTimings", "devices", "measured"]
