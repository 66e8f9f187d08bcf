"""What `Tracker` needs to follow a front on a device."""

from tumble.device.bulk_doors import DeviceTrees, device_trees
from tumble.device.front import DeviceFront, device_front_pairs
from tumble.device.front_streams import FrontRoom

__all__ = ["DeviceFront", "DeviceTrees", "FrontRoom", "device_front_pairs", "device_trees"]
