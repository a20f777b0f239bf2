"""The one record of what an answer, a trace or a link rests on where rules or files leave it
open.
"""

from __future__ import annotations

from topograph.records import record


@record
class Assumption:
    """A position that something rests on: the rule, how sure it is, what was assumed, and what
    would hold otherwise.
    """

    rule: str
    """The rule or position, such as R30 or A17."""
    confidence: str
    """How sure it is: H, M, L, or A, B, C, I; the specification of each system defines its own."""
    text: str
    """What is assumed."""
    alternative: str = ""
    """What would hold otherwise; empty if nothing else does."""
