"""Engines: the walks over a forwarding graph, in memory (``memory``) and in Neo4j (``neo4j``). Same
answers, by contract.

The engine supplies the walk, the system decides (DESIGN section 2.1): an engine knows points,
forwards and guards and nothing of any vendor. May import forwarding and store. Start at ``Engine``
below; the walks' contract is ``topograph.forwarding.walker.Walker``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from topograph.forwarding.budget import Budget
from topograph.forwarding.walker import Walker
from topograph.records import record


@record
class Ran:
    """A statement that an engine ran, by its name in ``cypher``, with the parameters of its
    first run, and how often it ran.
    """

    statement: str
    parameters: Mapping[str, Any]
    times: int


class Engine(Walker, Protocol):
    """A walker with a name. All numbers are point numbers of the forwarding graph the engine was
    made for.
    """

    name: str
    """``memory`` or ``neo4j``: the ``engine`` of every answer."""

    budget: Budget | None
    """What the question that is asked now may spend: a walk that would go on beyond it raises
    BudgetSpent. None between questions.
    """

    def ran(self) -> Sequence[Ran]:
        """The statements of a database that were run so far, in the order of their first run."""
        ...
