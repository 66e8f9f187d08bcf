"""The host code of the traversals on devices, written against `tumble.device.protocol` alone."""
