"""``impact``: what the failure of servers and routes does, or of every one of them in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from topograph.did_you_mean import did_you_mean
from topograph.errors import NotApplicable, UsageError
from topograph.forwarding.budget import Budget
from topograph.forwarding.reached import shown_links
from topograph.questions.answers import Caution, ContainerLost, FailureCounted, ImpactAnswer, Lost, Rerouted
from topograph.questions.model import Model, Part, cut, within_budget
from topograph.questions.steps import not_shown
from topograph.systems.protocol import Failure, Failures
from topograph.tracing.assumptions import network_assumptions

FORMS = "server:NAME, route:A-B or broker:NAME"


@within_budget
def impact(model: Model, budget: Budget, fail: Sequence[str] = (), *, sweep: bool = False) -> ImpactAnswer:
    """What happens if all of ``fail`` (``server:X``, ``route:A-B``, ``broker:C``) fail together, or with ``sweep`` each server, route and broker alone.

    Computed in memory over the facts: failures change the routes themselves. Where the loaded files do not show the whole network, the answer is not
    exact. Raises UnknownServer, UsageError for a route or broker that is not there, NotApplicable where no part of the network can answer.
    """
    if bool(fail) == sweep:
        raise UsageError(f"Say what fails (--fail {FORMS}), or ask for each in turn with --sweep alone.")
    # The estate of a part that does not judge failures is not loaded.
    asked = [part for part in model.parts if part.system.judges_failures]
    judged = [(part, failures) for part in asked if (failures := part.estate.failures) is not None]
    if not judged:
        present = ", ".join(part.system.name for part in model.parts) or "nothing"
        raise NotApplicable(f"impact does not answer for {present}, which is what network {model.network} runs.")
    assumed = network_assumptions(part.graph for part, _ in judged)
    common: dict[str, Any] = {**model.common(judged[0][0], "memory"), "assumptions": assumed}
    if sweep:
        sweeps = [(part, failures.sweep(budget)) for part, failures in judged]
        rows = [(row, part) for part, sweep_ in sweeps for row in sweep_.counted]
        left_out = tuple(name for _, sweep_ in sweeps for name in sweep_.not_counted)
        rows.sort(key=lambda entry: (-entry[0].lost - entry[0].containers, -entry[0].moved, entry[0].failed))
        counted = tuple(
            FailureCounted(row.failed, row.lost, row.moved, row.source, part.system.name, row.containers)
            for row, part in rows
        )
        undecided = [reason for _, failures in judged for reason in failures.undecided]
        number = len(left_out) + len(rows)
        said = cut(budget, f"{len(left_out):,} of {number:,} failures were not counted; a worse one may be among them")
        return ImpactAnswer(
            **common,
            exact=not (undecided or left_out),
            warnings=(*model.warnings, *not_shown(undecided), *said),
            failed=(),
            failures=counted,
            left_out=left_out,
        )
    part, failure = _what_fails(model, judged, fail)
    failures = next(known for other, known in judged if other is part)
    found = failures.effect(failure, budget)
    said = cut(
        budget, f"the pairs of {len(found.not_compared):,} servers with others were not compared; more may be lost"
    )
    system = part.system.name
    transient = failures.transient(failure, found)
    idle = sorted(name for name in failure.servers if not failures.runs(name))
    return ImpactAnswer(
        **common,
        exact=not (failures.undecided or found.not_compared),
        warnings=(*model.warnings, *(_not_running(part, name) for name in idle), *not_shown(failures.undecided), *said),
        failed=tuple(fail),
        left_out=found.not_compared,
        lost=tuple(Lost(a, b, failures.lost_outcome, system) for a, b in found.lost),
        rerouted=tuple(
            Rerouted(one.from_, one.to, one.before, one.after, one.cost_before, one.cost_after, system)
            for one in found.moved
        ),
        taken_over=tuple({"edge": edge, "before": before, "after": after} for edge, before, after in found.taken_over),
        containers=tuple(
            ContainerLost(name, servers, use.addresses, use.lost_outcome, use.source, system)
            for name, servers in found.containers
            for use in (failures.containers[name],)
        ),
        transient={"max_seconds": transient.seconds, "outcome": transient.meanwhile} if transient else None,
    )


def _not_running(part: Part, name: str) -> Caution:
    server = part.graph.servers[part.graph.server_number[name]]
    text = f"{name} is not known to run ({server.incomplete}): as far as the loaded files show, its failure changes nothing"
    return Caution("not-running", text, server.source)


def _what_fails(model: Model, judged: Sequence[tuple[Part, Failures]], fail: Sequence[str]) -> tuple[Part, Failure]:
    parts = [part for part, _ in judged]
    servers: set[str] = set()
    containers: set[str] = set()
    links: set[frozenset[str]] = set()
    concerned: list[Part] = []
    for text in fail:
        kind, colon, name = text.partition(":")
        if kind == "server" and name:
            place = model.locate(name)
            part = place.part
            servers.add(place.name)
        elif kind == "route" and colon:
            part, ends = _route(model, name)
            links.add(ends)
        elif kind in ("broker", "container") and name:
            part = _holder(model, judged, name)
            containers.add(name)
        else:
            raise UsageError(f"{text!r} is nothing that can fail here; say {FORMS}.")
        if part not in parts:
            raise NotApplicable(f"impact does not answer for {part.system.name}, which {text} is of.")
        concerned.append(part)
    if any(part is not concerned[0] for part in concerned):
        raise UsageError("What fails together has to be of one system.")
    return concerned[0], Failure(frozenset(servers), frozenset(links), frozenset(containers))


def _holder(model: Model, judged: Sequence[tuple[Part, Failures]], name: str) -> Part:
    """The part whose servers use a container."""
    for part, failures in judged:
        if name in failures.containers:
            return part
    known = sorted({known for _, failures in judged for known in failures.containers})
    hint = did_you_mean(name, known) or (f" There are {', '.join(known[:5])}." if known else " No server uses any.")
    raise UsageError(f"No server of network {model.network} stores in a broker {name!r}.{hint}")


def _route(model: Model, name: str) -> tuple[Part, frozenset[str]]:
    """The link that ``A-B`` names; names may hold a hyphen themselves."""
    known = [
        (part, frozenset(link.ends))
        for part in model.parts
        for link in shown_links(part.graph, standby=True)
        if name in (f"{link.ends[0]}-{link.ends[1]}", f"{link.ends[1]}-{link.ends[0]}")
    ]
    if not known:
        raise UsageError(f"There is no route {name} in network {model.network}; `topograph show routes` lists them.")
    return known[0]
