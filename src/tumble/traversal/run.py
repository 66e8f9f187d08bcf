"""One traversal from its beginning, once or many times: what Python calls.

By itself, so that an edit of the Python code around it recompiles nothing.
"""

from tumble.core.jit import kernel
from tumble.query.question import begin
from tumble.traversal.protocol import traverse


@kernel
def run(method, a, b, poses, question, counters):
    """Put a question to two trees."""
    begin(question)
    traverse(method, a, b, poses, question, counters)


@kernel
def run_repeatedly(times, method, a, b, poses, question):
    """Put a question many times in one call, for timing."""
    for _ in range(times):
        begin(question)
        traverse(method, a, b, poses, question, None)
