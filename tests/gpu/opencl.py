"""What tests of devices share: a reason to skip where there is none."""

import pytest

import tumble

needs_device = pytest.mark.skipif(
    not tumble.devices(), reason="no OpenCL device: pip install tumble[gpu] brings PyOpenCL and PoCL"
)
