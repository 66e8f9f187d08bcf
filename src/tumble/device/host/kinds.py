"""Defaults that depend on the kind of device, for settings that are None, and groups that a kernel can have."""

from collections.abc import Callable
from typing import NamedTuple

from tumble.device.protocol import CPU, OpenDevice, Program
from tumble.errors import OptionError


class KindDefaults(NamedTuple):
    """What suits a CPU is different from what suits a GPU."""

    bulk_group: int  # work-items of a group of bulk
    untested_group: int  # the same for bulk as in the paper
    groups_per_unit: int  # groups of a launch of bulk for each compute unit
    items_per_unit: int  # work-items of a pool for each compute unit, in multiples of its vector width
    plain_group: int  # work-items of a group of kernels whose work-items share nothing, as that of contacts
    sorts: bool  # whether the device sorts the leaves of implicit trees, or the host does


ON_CPU = KindDefaults(
    bulk_group=1,  # a CPU does the work-items of a group one after the other, and vectors by itself
    untested_group=64,
    groups_per_unit=16,  # enough that groups with little to do do not matter
    items_per_unit=1,
    plain_group=16,
    sorts=False,  # the host is the same CPU, and a sort for thousands of work-items takes it fifty times as long
)
ON_GPU = KindDefaults(
    bulk_group=64, untested_group=64, groups_per_unit=16, items_per_unit=64, plain_group=64, sorts=True
)


def defaults_for(device: OpenDevice) -> KindDefaults:
    """Return the defaults for a device: those of GPUs for accelerators and others too."""
    return ON_CPU if device.info.kind == CPU else ON_GPU


def fitting_group(
    device: OpenDevice, kernel: str, wanted: int, build: Callable[[int], Program], *, given: bool
) -> tuple[Program, int]:
    """Return a program for groups of a wanted size, or of the largest power of two that its kernel can have, and the
    size; a size that the user has given is refused instead.

    Registers and local memory of a kernel may limit its groups more than the device does.
    """
    if given:
        device.check_group(wanted)
    group = min(wanted, device.limits.group_items)
    while True:
        code = build(group)
        most = max(1, device.most_in_group(code, kernel))
        if group <= most:
            return code, group
        if given:
            raise OptionError(f"group={group}: {kernel} takes up to {most} work-items in a group on {device.info.name}")
        group = 1 << (most.bit_length() - 1)
