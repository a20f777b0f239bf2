"""``summary``: the first screen of a network, put together of what other questions answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from topograph.files import tally
from topograph.findings import Source
from topograph.forwarding.reached import shown_links
from topograph.questions.answers import (
    Caution,
    CheckAnswer,
    CyclesAnswer,
    Doubt,
    NextCommand,
    SummaryAnswer,
    SystemSummary,
    WorstFinding,
)
from topograph.questions.check import check
from topograph.questions.cycles import legal_routes
from topograph.questions.known_destinations import known_destinations
from topograph.questions.model import Model, Place, answered
from topograph.questions.text import sentence
from topograph.systems.registry import system
from topograph.words.visible import clean

MOST = 5
"""Rules that are listed as the worst."""

COMMANDS = 3
"""Commands to go on with."""


@answered
def summary(model: Model) -> SummaryAnswer:
    """What a network consists of, whether it is legal, what is wrong with it, what is not known,
    and which commands to go on with.

    As ``check`` and ``cycles``, whose answers it holds in short: linear on a legal network."""
    checked, legality = check(model), legal_routes(model)
    return SummaryAnswer(
        **model.common(),
        exact=legality.exact,
        inexact_because=legality.inexact_because,
        assumptions=legality.assumptions,
        warnings=(*model.warnings, *_of_the_search(legality)),
        systems=tuple(_systems(model)),
        files=tally(model.records.files),
        legal=legality.legal if legality.judged else "not judged",
        legality=_in_a_sentence(legality),
        counts=checked.counts,
        waived=len(checked.waived),
        worst=tuple(_worst(checked))[:MOST],
        unknown=tuple(_unknown(model)),
        next=tuple(_next(model, checked, legality))[:COMMANDS],
    )


def _of_the_search(legality: CyclesAnswer) -> Iterator[Caution]:
    """That the budget cut the search for rings, which the answer rests on."""
    return (one for one in legality.warnings if one.rule == "budget")


def _in_a_sentence(legality: CyclesAnswer) -> str:
    first, *_ = sentence(legality).split("\n")
    return first


def _systems(model: Model) -> Iterator[SystemSummary]:
    links = Counter(
        link.system
        for part in model.parts
        for link in shown_links(part.graph, standby=True, unresolved=True, stopped=True)
    )
    for name in sorted({place.system for place in model.places()}):
        own = [place for place in model.places() if place.system == name]
        yield SystemSummary(
            name,
            system(name).title,
            system(name).wording.server_noun,
            sum(place.server.loaded for place in own),
            tuple(model.label(place.server) for place in own if not place.server.loaded),
            links[name],
        )


def _worst(checked: CheckAnswer) -> Iterator[WorstFinding]:
    """A line for each rule with errors or warnings, in the order of ``check``."""
    counted: Counter[tuple[str, str]] = Counter()
    for group in checked.groups:
        counted[group.severity, group.rule] += group.count
    for group in checked.groups:
        number = counted.pop((group.severity, group.rule), 0)
        if number and group.severity != "info":
            yield WorstFinding(
                group.severity,
                group.rule,
                group.name,
                number,
                group.server,
                group.message,
                group.source,
            )


def _unknown(model: Model) -> Iterator[Doubt]:
    """Files that were not read, then servers of which files are not loaded, by name."""
    for path in sorted({one.path for one in model.records.files if one.status == "not-read"}):
        yield Doubt("", f"{path} could not be read: nothing of it is known", Source(path))
    for place in model.places():
        if not place.server.loaded:
            because = "only named by others: what lies behind it is not known"
            yield Doubt(model.label(place.server), because, place.server.source)
    for place in model.places():
        if place.server.loaded and place.server.incomplete:
            yield Doubt(model.label(place.server), place.server.incomplete, place.server.source)


def _next(model: Model, checked: CheckAnswer, legality: CyclesAnswer) -> Iterator[NextCommand]:
    """The commands that are worth most here, first those about what is wrong. Each of them can be
    asked of this network."""
    if legality.violation:
        yield NextCommand(("cycles",), "the rings that are not legal, with their routes")
    worst = next(_worst(checked), None)
    if worst is not None:
        asks = f"what {worst.rule} means, and each of its findings"
        yield NextCommand(("check", "--rule", worst.rule), asks)
    servers = [one for one in _by_links(model) if _can_be_typed(model.label(one.server))]
    if servers:
        yield from _about(model, servers)
    yield NextCommand(("show", "servers"), "the servers, with the file that each is defined in")
    yield NextCommand(("show", "files"), "what became of each file")
    yield NextCommand(("check",), "all findings")


def _about(model: Model, servers: Sequence[Place]) -> Iterator[NextCommand]:
    """A message of a destination that a loaded server names, and what the hub reaches."""
    called = {(one.system, one.name): model.label(one.server) for one in servers}
    for known in known_destinations(model):
        names = sorted(called[pair] for pair in known.named_by if pair in called)
        if names and clean(known.text) == known.text:
            words = ("propagate", names[0], "--destination", known.text)
            yield NextCommand(words, f"who gets a message sent to {known.text} at {names[0]}")
            break
    hub = model.label(servers[0].server)
    yield NextCommand(("reach", hub), f"what {hub} reaches, and over which path")


def _can_be_typed(name: str) -> bool:
    """Whether a command line takes a name as it is shown."""
    return clean(name) == name and not name.startswith("-")


def _by_links(model: Model) -> list[Place]:
    """The loaded servers, those with most links first, then by name."""
    links: Counter[tuple[str, str]] = Counter()
    for part in model.parts:
        for link in shown_links(part.graph):
            links.update(set(zip(link.systems, link.ends, strict=True)))
    loaded = [place for place in model.places() if place.server.loaded]
    return sorted(loaded, key=lambda one: -links[one.system, one.name])
