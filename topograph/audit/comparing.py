"""Two states of one network compared: snapshots or folders, before and after a change went in, whatever the change was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from topograph import extensions
from topograph.audit.differences import Compared, compared
from topograph.audit.links import links_changed
from topograph.audit.witnesses import Moved, deliveries_compared
from topograph.errors import UsageError
from topograph.facts import encode, without_places
from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.questions.answers import Caution, Duplicate
from topograph.questions.audit_answers import (
    AuditAnswer,
    AuditBefore,
    DeliveriesChanged,
    HopsChanged,
    LinksChanged,
    ReachChanged,
    Rejection,
)
from topograph.questions.cycles import cycles
from topograph.questions.model import Model, Part, cut, within_budget
from topograph.systems.changing import Changes
from topograph.systems.protocol import Change
from topograph.tracing.assumptions import network_assumptions


@within_budget
def compare(model: Model, budget: Budget, after: Model) -> AuditAnswer:
    """What is different in ``after``: who reaches whom, how far it is, what subscribers get, and names that servers now hold twice.

    The verdict is ``reject`` if there are such names that were not there before, ``undetermined`` if that cannot be said. Parts of the network that only
    one of the two has are compared with nothing. Raises UsageError where the two have no system in common."""
    pairs = [
        (part, other)
        for part in model.parts
        for other in after.parts
        if part.system.name == other.system.name and part.form == other.form
    ]
    if not pairs:
        raise UsageError(f"{model.network} and {after.network} have no system in common: there is nothing to compare.")
    was, now = cycles(model), cycles(after)
    held = {(one.system, one.server, one.name): frozenset(one.via) for one in was.duplicates}
    new = [one for one in now.duplicates if set(one.via) - held.get((one.system, one.server, one.name), frozenset())]
    rejections = [_rejection(one) for one in new]
    verdict = "reject" if rejections else "undetermined" if now.legal == "unknown" else "accept"
    differences: list[Compared] = []
    links: list[LinksChanged] = []
    moved: list[Moved] = []
    cautions: list[Caution] = []
    for part, other in pairs:
        changes: Changes | None = extensions.optional_module(part.system.name, "changes")
        if part.form != "closed" or changes is None:
            differences.append(compared(part.graph, other.graph, budget))
            links.append(links_changed(part.graph, other.graph, part.graph, other.graph))
            text = f"what subscribers get is not compared for {part.system.title}"
            cautions.append(Caution("not-compared", text))
            continue
        was_passing, is_passing = changes.passing(part.graph), changes.passing(other.graph)
        differences.append(compared(was_passing, is_passing, budget))
        links.append(links_changed(part.graph, other.graph, was_passing, is_passing))
        facts = other.facts_of(part.system.name)
        moved.append(deliveries_compared(model, part, changes, other.graph, facts, _change(part, other), budget))
    return AuditAnswer(
        **model.common(engine="memory"),
        exact=all(one.complete for one in differences)
        and all(one.complete for one in moved)
        and not budget.spent
        and now.exact,
        assumptions=network_assumptions(part.graph for part in after.parts),
        warnings=(
            *model.warnings,
            *after.warnings,
            *cautions,
            *(caution for one in moved for caution in one.cautions),
            *cut(budget, "not all was compared"),
        ),
        verdict=verdict,
        before=AuditBefore(was.legal, was.duplicates),
        steps=(),
        rejections=tuple(rejections),
        reach=_reach(differences),
        hops=_hops(differences),
        deliveries=_deliveries(moved),
        would_gain=tuple(row for one in moved for row in one.would_gain),
        would_lose=tuple(row for one in moved for row in one.would_lose),
        links=_links(links),
    )


def _rejection(one: Duplicate) -> Rejection:
    message = (
        f"{one.server} would hold {one.name} from {' and '.join(one.via)}; one of {', '.join(one.routes)} is refused"
    )
    return Rejection("", Source(""), one.server, "R23", message, (one.server,), (one,), one.paths, "now")


def _change(part: Part, other: Part) -> Change:
    """The facts of a system that only one of two states has, wherever they stand in their files."""
    before, after = ({_content(fact): fact for fact in _facts(one)} for one in (part, other))
    counts = [Counter(map(_content, _facts(one))) for one in (part, other)]
    return Change(
        tuple(before[key] for key in counts[0] - counts[1]), tuple(after[key] for key in counts[1] - counts[0])
    )


def _facts(part: Part) -> Sequence[Fact]:
    return part.facts_of(part.system.name).facts()


def _content(fact: Fact) -> tuple[str, str, str, str]:
    """A fact without the places that it and its parts stand at."""
    row = encode(fact)
    return row["kind"], row["server"], row["name"], without_places(row["payload"])


def _reach(found: Sequence[Compared]) -> ReachChanged:
    reach = [one.reach for one in found]
    return ReachChanged(
        tuple(pair for one in reach for pair in one.gained),
        tuple(pair for one in reach for pair in one.lost),
        tuple(pair for one in reach for pair in one.undetermined),
        sum(one.gained_count for one in reach),
        sum(one.lost_count for one in reach),
        sum(one.undetermined_count for one in reach),
    )


def _hops(found: Sequence[Compared]) -> HopsChanged:
    hops = [one.hops for one in found]
    return HopsChanged(
        tuple(row for one in hops for row in one.longer),
        tuple(row for one in hops for row in one.shorter),
        sum(one.longer_count for one in hops),
        sum(one.shorter_count for one in hops),
    )


def _links(found: Sequence[LinksChanged]) -> LinksChanged:
    return LinksChanged(
        tuple(row for one in found for row in one.added),
        tuple(row for one in found for row in one.removed),
        tuple(row for one in found for row in one.changed),
        sum(one.added_count for one in found),
        sum(one.removed_count for one in found),
        sum(one.changed_count for one in found),
    )


def _deliveries(found: Sequence[Moved]) -> DeliveriesChanged:
    known = [one.known for one in found]
    return DeliveriesChanged(
        tuple(row for one in known for row in one.gained),
        tuple(row for one in known for row in one.lost),
        tuple(row for one in known for row in one.duplicated),
    )
