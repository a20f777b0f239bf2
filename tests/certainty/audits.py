"""What audits claim of an estate, each with how sure: read from the answers' own fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from certainty.claims import OPEN, Claim
from topograph import Network
from topograph.assumptions import Assumption
from topograph.errors import TopographError
from topograph.questions.answers import AuditAnswer

Audited = tuple[str, str | None, Mapping[str, Any]]
"""A script, the server that it is given to (None: it says that itself), and further words."""


def audited(estate: Any) -> list[Audited]:
    """The changes that an estate's own questions ask about."""
    found = []
    for method, words, said in estate.questions():
        if method == "audit":
            script, at = words
            found.append((script, at, said))
    return found


class AuditClaims:
    """The claims of the audits of one estate, as far as they name only ``servers`` that it has;
    ``rests_on`` are the assumptions of each answer.
    """

    def __init__(self, network: Network, servers: Sequence[str], asked: Iterable[Audited]) -> None:
        self.said: dict[Claim, str] = {}
        self.rests_on: dict[Claim, frozenset[Assumption]] = {}
        self.unknown = 0
        """How many claims are open: of the pairs of servers as many as the answers count."""
        for number, (script, at, words) in enumerate(asked):
            if at is not None and at not in servers:
                continue
            try:
                answer = network.audit(script, at, **words)
            except TopographError:
                continue  # it names what this view does not have: nothing is claimed
            key = "audit", str(number), repr(script)
            self.unknown += len(answer.reach.undetermined) + answer.unknown_alike
            for name, said in _claimed(answer, servers):
                self.unknown += said == OPEN and name[0] != "pair"
                self.said[(*key, *name)] = said
                self.rests_on[(*key, *name)] = frozenset(answer.assumptions)


def _claimed(answer: AuditAnswer, servers: Sequence[str]) -> Iterator[tuple[Claim, str]]:
    """The verdict, what becomes of each command, and each pair of servers."""
    yield ("verdict",), OPEN if answer.verdict == "undetermined" else answer.verdict
    for place, step in enumerate(answer.steps):
        results = {"undetermined": OPEN, "refused": "refused", "conflict": "refused later"}
        yield ("command", str(place), step.server), results.get(step.result, "taken")
    listed = {
        pair: said
        for pairs, said in (
            (answer.reach.gained, "gained"),
            (answer.reach.lost, "lost"),
            (answer.reach.undetermined, OPEN),
        )
        for pair in pairs
    }
    # Of pairs that are unknown in the same way before and after only the number is told; a command
    # of which nobody can say what it does may change any.
    undecided = any(step.result == "undetermined" for step in answer.steps)
    others = OPEN if answer.unknown_alike or undecided else "the same"
    for pair in permutations(servers, 2):
        yield ("pair", *pair), listed.get(pair, others)


def denied(whole: AuditClaims, part: AuditClaims, gone: Iterable[str]) -> list[str]:
    """The claims that a partial view makes for certain and that the whole denies. One that rests
    on an assumption which the whole does not need is none; nor is one about a server that the
    view leaves out."""
    left_out = frozenset(gone)
    found = []
    for claim, said in part.said.items():
        if said == OPEN or left_out & frozenset(claim):
            continue
        if part.rests_on[claim] - whole.rests_on.get(claim, frozenset()):
            continue
        true = whole.said.get(claim)
        if true not in (None, said, OPEN):
            found.append(f"{claim}: {said}, and in truth {true}")
    return found
