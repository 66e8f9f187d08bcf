"""The two stack traversals with memory that is made for each query, as the paper makes its stack (Table 3).

A prepared query of ours keeps its stack. Here each repetition allocates one before it walks and frees it afterwards,
inside the compiled loop, so that what is timed differs from `Query.repeat` by nothing else.
"""

from typing import Any

import numpy as np

from tumble.core.jit import allocating_kernel
from tumble.query.question import begin
from tumble.query.questions.touching import counting
from tumble.traversal.alternating import Alternating
from tumble.traversal.protocol import traverse
from tumble.traversal.stack import Stack

# Two kernels instead of one and a generic function that makes the record: generic functions count no references, and
# what one of them returns would be freed twice.


@allocating_kernel
def _repeat_stack(times: int, method: Any, a: Any, b: Any, poses: Any, question: Any) -> None:
    for _ in range(times):
        memory = np.empty(method.stack.shape, np.int32)
        begin(question)
        traverse(Stack(memory, method.rule, None), a, b, poses, question, None)


@allocating_kernel
def _repeat_alternating(times: int, method: Any, a: Any, b: Any, poses: Any, question: Any) -> None:
    for _ in range(times):
        memory = np.empty(method.stack.shape, np.int32)
        begin(question)
        traverse(Alternating(memory, None), a, b, poses, question, None)


REPEATED = {"stack": _repeat_stack, "alternating": _repeat_alternating}
"""the traversals that need a stack, and what repeats each"""


def repeat_with_new_stacks(query: Any, method: str, times: int) -> int:
    """Count the touching pairs many times inside one kernel call, as `Query.repeat` does; return those of one time."""
    question = counting(query.narrow)
    REPEATED[method](times, *query._arguments, question)
    return int(question.found[0])
