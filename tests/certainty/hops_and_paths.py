"""What ``hops``, ``paths``, ``impact`` and ``cycles`` claim of an estate, each with how sure.

That a path is the shortest, the only one, or that there is none holds as long as the loaded files
are all servers: a server more may always make a shorter one. Such a claim of a part is held against
the whole only as far as the servers that the part shows make the paths of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from certainty.claims import OPEN, Claim
from topograph import Network
from topograph.assumptions import Assumption
from topograph.errors import TopographError


class PathClaims:
    """The claims about pairs of servers, by subject; each with what the answer rests on."""

    def __init__(self, network: Network, pairs: Sequence[tuple[str, str]]) -> None:
        self.said: dict[Claim, str] = {}
        self.rests_on: dict[Claim, frozenset[Assumption]] = {}
        self.over: dict[Claim, frozenset[str]] = {}
        """Of a claim that something is shortest, or all there is: the servers on its paths."""
        for start, end in pairs:
            self._hops(network, start, end)
            self._paths(network, start, end)
        self._legal(network)
        for server in dict.fromkeys(start for start, _ in pairs):
            self._impact(network, server, pairs)

    def _keep(self, claim: Claim, said: str, rests_on: Iterable[Assumption]) -> None:
        self.said[claim] = said
        self.rests_on[claim] = frozenset(rests_on)

    def _hops(self, network: Network, start: str, end: str) -> None:
        answer = network.hops(start, end)
        counted = str(answer.route_hops) if answer.route_hops is not None else OPEN
        at_all = _decided(answer.reachable)
        self._keep(("hops", start, end, "reachable"), at_all, answer.assumptions)
        if at_all == "yes":
            claim = ("hops", start, end, "shortest")
            self._keep(claim, counted if answer.exact else OPEN, answer.assumptions)
            self.over[claim] = frozenset(answer.path)

    def _paths(self, network: Network, start: str, end: str) -> None:
        answer = network.paths(start, end)
        closed = answer.exact and not (answer.undetermined or answer.truncated)
        certain = closed and not any(
            one.rule in ("TL-16", "undetermined", "not-loaded") for one in answer.warnings
        )
        found = sorted(" ".join(one.servers) for one in answer.paths)
        claim = ("paths", start, end, "all")
        self._keep(claim, "; ".join(found) if certain else OPEN, answer.assumptions)
        self.over[claim] = frozenset(name for one in answer.paths for name in one.servers)

    def _legal(self, network: Network) -> None:
        answer = network.cycles()
        if answer.judged:
            said = _decided(answer.legal)
            self._keep(("legal",), said if answer.exact else OPEN, answer.assumptions)

    def _impact(self, network: Network, server: str, pairs: Iterable[tuple[str, str]]) -> None:
        try:
            answer = network.impact(f"server:{server}")
        except TopographError:
            return
        open_ = not answer.exact or bool(answer.undecided())
        lost = {(one.from_, one.to) for one in answer.lost}
        for start, end in pairs:
            if (
                server not in (start, end)
                and self.said.get(("hops", start, end, "reachable")) == "yes"
            ):
                said = "lost" if (start, end) in lost else "kept"
                claim = ("impact", server, start, end)
                self._keep(claim, OPEN if open_ else said, answer.assumptions)


def contradictions(whole: PathClaims, part: PathClaims, gone: Iterable[str]) -> list[str]:
    """The claims that a partial view makes for certain and that the whole denies. A claim that
    rests on an assumption which the whole does not need is none. That a path is the shortest, that
    there are no others, and that a network is legal may be otherwise by a server that the view
    leaves out.
    """
    left_out = frozenset(gone)
    found = []
    for claim, said in part.said.items():
        true = whole.said.get(claim)
        if said == OPEN or true in (None, OPEN, said):
            continue
        if part.rests_on[claim] - whole.rests_on.get(claim, frozenset()):
            continue
        # docs/certainty.md, "Servers that are not loaded": both hold as far as the loaded files are
        # all servers.
        if left_out & whole.over.get(claim, frozenset()):
            continue
        if claim == ("legal",) and (said, true) == ("yes", "no") and left_out:
            continue
        found.append(f"{claim}: {said}, and in truth {true}")
    return found


def _decided(field: bool | str) -> str:
    """What a field says that is true, false or unknown."""
    return {"True": "yes", "False": "no"}.get(str(field), OPEN)
