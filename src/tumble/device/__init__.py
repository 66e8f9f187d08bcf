"""OpenCL: the binary-stack traversal on any device, for whole lists of pairs of bodies at once.

Nothing here imports PyOpenCL until a device is asked for: `import tumble` works without it.
"""

from tumble.device.device import Device, devices
from tumble.device.timings import DeviceTimings, measured

__all__ = ["Device", "DeviceTimings", "devices", "measured"]
