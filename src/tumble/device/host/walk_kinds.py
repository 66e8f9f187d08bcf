"""The walks of oriented-box trees on a device by name: which kernel, built from which files, over nodes in which order.

All share their host half (`binary_stack`, `candidates`) and, in the kernels, boxes, triangles, candidates and the pool.
"""

from typing import NamedTuple

from tumble.device.protocol import Program, program
from tumble.errors import OptionError
from tumble.query.settings import DeviceSettings
from tumble.traversal.rules import RULES

BINARY_STACK_FILES = ("counters", "boxes", "bits", "candidates", "triangles", "walk", "binary_stack")
FEWEST_WORDS = 2
STACK = 32
"""pairs that wait in private memory in `alternating`; more of them are computed when they are needed"""


class WalkKind(NamedTuple):
    """A traversal as devices have it."""

    kernel: str
    """its name; with "_pool" behind it, that of the kernel that draws from a pool"""
    files: tuple[str, ...]
    options: tuple[tuple[str, int], ...] = ()
    preorder: bool = False
    """whether its trees are in pre-order, else post-indexed"""
    takes_rule: bool = False
    """whether the descent rule can be chosen, which takes as many bits as there are steps down"""

    def code(self, settings: DeviceSettings, words: int, counting: bool) -> tuple[Program, str]:
        """Return the program and the kernel for some settings."""
        if settings.rule not in RULES:
            raise OptionError(f"unknown descent rule {settings.rule!r}; choose one of: {', '.join(RULES)}")
        if not self.takes_rule and settings.rule != DeviceSettings.rule:
            name, able = (
                self.kernel.replace("_", "-"),
                ", ".join(n for n, kind in WALK_KINDS.items() if kind.takes_rule),
            )
            raise OptionError(f"method {name!r} has its own way down: rule={settings.rule!r} is for one of: {able}")
        options = {"WORDS": words if self.takes_rule else FEWEST_WORDS, "RULE": RULES[settings.rule]}
        code = program(*self.files, **options, **dict(self.options), COUNTING=int(counting))
        return code, f"{self.kernel}_pool" if settings.pool else self.kernel


def _in_turns(kernel: str, stack: int = 0, preorder: bool = False) -> WalkKind:
    files = (*BINARY_STACK_FILES, "node_order", "task_pool", "in_turns", kernel)
    return WalkKind(kernel, files, (("PREORDER", int(preorder)), ("STACK", stack)), preorder)


BINARY_STACK = WalkKind("binary_stack", BINARY_STACK_FILES, takes_rule=True)
WALK_KINDS = {
    "binary-stack": BINARY_STACK,
    "leaf": WalkKind("leaf", (*BINARY_STACK_FILES, "node_order", "task_pool", "leaf"), (("PREORDER", 0),)),
    "alternating": _in_turns("alternating", STACK),
    "stackless": _in_turns("stackless", preorder=True),
    "stackless-post": _in_turns("stackless_post"),
}
"""by the names of methods"""
