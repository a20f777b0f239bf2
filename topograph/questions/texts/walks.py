"""The text of ``reach``, ``hops``, ``hops --matrix`` and ``paths``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.questions.answers.reached import ReachedServers
from topograph.questions.texts.extent import SHOWN, as_far
from topograph.questions.texts.layout import (
    STEPS_SHOWN,
    Cell,
    Page,
    Row,
    Tone,
    count,
    listed,
    of_same_messages,
    place,
    step_rows,
    steps_section,
    zones,
)
from topograph.questions.texts.needed import could_change, needed
from topograph.systems.registry import server_noun

if TYPE_CHECKING:
    from topograph.questions.answers import (
        DecidedIf,
        End,
        HopsAnswer,
        HopsMatrixAnswer,
        PathFound,
        PathsAnswer,
        PropagateAnswer,
        ReachAnswer,
        ReachedServer,
        Step,
        Stopped,
        TraceAnswer,
        Undetermined,
    )

REASONS: Mapping[str, str] = {
    "zone": "the zone rules do not let it pass",
    "selector": "the route selector does not let it pass",
    "not-global": "the destination is not global at both ends",
    "no-interest": "no subscriber in that direction",
    "acl": "a permission is missing",
    "route-down": "the route is down",
    "no-route": "nothing that is configured leads there",
    "already-visited": "the server has the message already",
}
"""The conditions of NOT_FORWARDED (outcomes.md section 1) in words."""

AS_SHOWN = "As far as the loaded files show"
"""How a verdict begins that files which are not loaded could change."""

MATRIX_SERVERS = 30
"""A hop matrix of more servers than this does not fit a screen: a row of figures for each server
instead.
"""


def reach(answer: ReachAnswer, page: Page) -> None:
    """With ``to`` the one way and its steps; else every server with its way, and each step once."""
    if answer.to is None:
        _reach_all(answer, page)
    else:
        _reach_one(answer, answer.to, page)


def _reach_all(answer: ReachAnswer, page: Page) -> None:
    servers = answer.servers
    columns = servers if isinstance(servers, ReachedServers) else None
    later = 0 if columns is not None else sum(server.later for server in servers)
    chosen = 0 if columns is not None else sum(not server.certain for server in servers) - later
    reached, unsure = len(answer.servers), len(answer.undetermined)
    everyone = reached + unsure + len(answer.unreachable)
    if not everyone:
        page.title(
            f"{answer.from_} is the only {server_noun([answer.system])} that the loaded files show."
        )
        return
    systems = [
        answer.system,
        *((one.system for one in servers) if columns is None else (columns.system,)),
        *(one.system for one in answer.undetermined),
    ]
    whom = f"{reached:,} of {count(everyone, f'other {server_noun(systems)}')}"
    said = (
        f"Replies reach {answer.from_} from {whom}"
        if answer.reply
        else f"{answer.from_} reaches {whom}"
    )
    certainly = f", {chosen:,} of them only by a choice at run time" if chosen else ""
    certainly += f", {later:,} of them later" if later else ""
    page.title(f"{said}{certainly}{_left_open(answer)}.")
    page.blank()
    if columns is not None:
        _reached_columns(columns, page)
    else:
        page.table([_reached_row(server, page) for server in servers], right=(1, 2))
        steps_section(page, (step for server in servers for step in server.steps))
    if answer.unreachable:
        page.section("No reply from" if answer.reply else "Not reached", Tone.BAD)
        page.names(answer.unreachable)
    stopped_section(page, answer.stopped[:STEPS_SHOWN])
    page.more(len(answer.stopped) - STEPS_SHOWN)
    undetermined(page, answer.undetermined, answer.system)


def _reached_row(server: ReachedServer, page: Page) -> tuple[str, str, str, str, str]:
    unsure = " (later)" if server.later else " (at run time)"
    return (
        server.server if server.certain else f"{server.server}{unsure}",
        count(server.hops, "hop"),
        _cost(server.cost),
        page.style.path(server.path),
        zones(server.zone_hops),
    )


def _reached_columns(servers: ReachedServers, page: Page) -> None:
    """What ``_reached_row`` and ``steps_section`` write, of servers that are columns: the text of
    each path is that of the path before it and one name more. Linear in the text."""
    order, names, arrow = servers.order, servers.names, f" {page.style.arrow} "
    if not order:
        return
    hops, paths = [0], [page.style.path(names[:1])]
    for name, before in zip(names[1:], servers.before[1:], strict=True):
        hops.append(hops[before] + 1)
        paths.append(f"{paths[before]}{arrow}{name}")
    counted = {number: count(number, "hop") for number in {*hops}}
    zones_passed = _zones_passed(servers)
    page.columns(
        [
            [names[place] for place in order],
            [counted[hops[place]] for place in order],
            [paths[place] for place in order],
            [zones_passed[place] for place in order],
        ],
        right=(1,),
    )
    shown: dict[int, None] = {}  # each server has one step that leads to it
    for last in order[:STEPS_SHOWN]:
        shown |= dict.fromkeys(servers.places_to(last))
    page.section("Steps")
    page.table(step_rows(servers.steps([*shown][:STEPS_SHOWN]), page.style))
    page.more(len(order) - STEPS_SHOWN)


def _zones_passed(servers: ReachedServers) -> list[str]:
    """What ``zones`` writes of the path to each place."""
    texts, earlier, runs = [""], [""], [0]
    for before, zone in zip(servers.before[1:], servers.zones[1:], strict=True):
        if not zone:
            texts.append(texts[before])
            earlier.append("")
            runs.append(0)
            continue
        goes_on = runs[before] > 0 and servers.zones[before] == zone
        runs.append(runs[before] + 1 if goes_on else 1)
        earlier.append(
            earlier[before] if goes_on else f"{texts[before]}, " if texts[before] else ""
        )
        texts.append(f"{earlier[-1]}{zone} {runs[-1]}")
    return texts


def _reach_one(answer: ReachAnswer, to: str, page: Page) -> None:
    other = to if answer.to_system == answer.system else f"{answer.to_system}:{to}"
    start, end = (other, answer.from_) if answer.reply else (answer.from_, other)
    found = next((server for server in answer.servers if server.server == to), None)
    if found is not None:
        cost = f" at a cost of {found.cost}" if found.cost is not None else ""
        far = f"{end} in {count(found.hops, 'hop')}{cost}"
        some = for_some(found.steps, certain=found.certain)
        if found.certain:
            page.title(f"{_who(answer, start)} reaches {far}{some}.", Tone.GOOD)
        elif found.later:
            page.title(f"{_who(answer, start)} reaches {far} {LATER}{some}.", Tone.UNSURE)
        else:
            page.title(
                f"{_who(answer, start)} may reach {far}: it is decided at run time{some}.",
                Tone.UNSURE,
            )
        page.blank()
        page.table([(page.style.path(found.path), zones(found.zone_hops))])
        steps_section(page, found.steps)
    elif entry := next((entry for entry in answer.undetermined if entry.server == to), None):
        who = f"{'a reply of ' * answer.reply}{start}"
        page.title(_undecided((entry,), who, end), Tone.UNSURE)
        stopped_section(page, answer.stopped)
        _addressed(page, answer, to)
        undetermined(page, answer.undetermined, answer.system)
    elif to == answer.from_:
        page.title(
            f"{to} is the {server_noun([answer.system])} asked from: a message published "
            "there is there."
        )
    else:
        page.title(_not_reached(_who(answer, start), end, answer.exact), Tone.BAD)
        stopped_section(page, answer.stopped)
        _addressed(page, answer, to)


def _addressed(page: Page, answer: ReachAnswer, to: str) -> None:
    """What becomes of a message that is addressed to the server which is not reached."""
    if answer.why_not is None or to not in answer.not_reached():
        return
    found = answer.why_not(to)
    if found is None or not found.outcome:
        return
    others = f", or {found.others:,} other ends" if found.others else ""
    others = f" ({found.condition}){others}" if found.condition else others
    page.section(f"A message addressed to {to}", Tone.BAD)
    page.table(
        [
            (
                f"at {found.at}",
                Cell(f"{found.outcome}{others}", Tone.BAD),
                found.rule,
                Cell(place(found.source), Tone.FAINT),
                found.because,
            )
        ]
    )
    for one in found.assumed:
        page.line(f"if {one}", indent=6)


LATER = "later: messages wait on the way"
"""What a verdict says of a server that messages get to later."""


def _who(answer: ReachAnswer, start: str) -> str:
    return f"A reply of {start}" if answer.reply else start


CONDITIONS_SHOWN = 160
"""Characters of conditions that a verdict names; the steps name all of them."""


def for_some(steps: Iterable[Step], *, certain: bool = True) -> str:
    """Which messages a path carries, as the end of its verdict; empty where it carries all. Of a
    path that is chosen at run time (not ``certain``), what else it rests on is left to its steps.

    >>> from topograph.questions.answers import Step
    >>> from topograph.findings import Source
    >>> guards = ["for any topic", "for orders only if a = 1", "queues have been triggered"]
    >>> for_some([Step("A", "B", "", "", "H", tuple(guards), Source(""))])
    ', for some messages: any topic; orders only if a = 1, if queues have been triggered'
    """
    guards = list(dict.fromkeys(guard for step in steps for guard in step.guards))
    messages = [
        guard.removeprefix("for ")
        for guard in of_same_messages(guard for guard in guards if guard.startswith("for "))
    ]
    others = [guard for guard in guards if not guard.startswith("for ")] if certain else []
    some = f", for some messages: {_in_short(messages, '; ')}" if messages else ""
    return f"{some}, if {_in_short(others, '; and ')}" if others else some


def _in_short(words: Sequence[str], between: str) -> str:
    """As many as there is room for; the rest is counted."""
    shown = ""
    for number, word in enumerate(words):
        longer = f"{shown}{between}{word}" if number else word
        if len(longer) > CONDITIONS_SHOWN:
            left = count(len(words) - number, "more condition" if number else "condition")
            return f"{shown}{between * bool(number)}{left} (see the steps)"
        shown = longer
    return shown


def hops(answer: HopsAnswer, page: Page) -> None:
    """One sentence, and the hops by zone."""
    if answer.reachable is True and answer.route_hops is None:
        waits = f" {LATER}" if answer.later else ""
        page.title(
            f"{answer.from_} reaches {answer.to}{waits}; the shortest path was not found.",
            Tone.UNSURE,
        )
    elif answer.reachable is True:
        page.title(_hops_counted(answer), Tone.UNSURE if answer.later else Tone.TITLE)
        named = [entry for entry in answer.zone_hops if entry.zone]
        if named:
            page.blank()
            page.table(
                [(f"zone {entry.zone}", count(entry.hops, "hop")) for entry in named], right=(1,)
            )
    elif answer.reachable is False:
        page.title(_not_reached(answer.from_, answer.to, answer.exact), Tone.BAD)
        stopped_section(page, answer.stopped)
    else:
        page.title(_undecided(answer.undetermined[:1], answer.from_, answer.to), Tone.UNSURE)
        stopped_section(page, answer.stopped)
        undetermined(page, answer.undetermined, answer.system)


def _hops_counted(answer: HopsAnswer) -> str:
    """The verdict on a server that is reached, over a path that is known."""
    far = count(answer.route_hops or 0, "hop")
    if answer.later:
        cost = f" at a cost of {answer.cost}" if answer.cost is not None else ""
        some = for_some(answer.steps, certain=False)
        return f"{answer.from_} reaches {answer.to} in {far}{cost} {LATER}{some}."
    cost = f", at a cost of {answer.cost}" if answer.cost is not None else ""
    return f"From {answer.from_} to {answer.to}: {far}{cost}{for_some(answer.steps)}."


def _undecided(entries: Sequence[Undetermined], start: str, end: str) -> str:
    """The verdict on a server that the files leave open, of which there is an entry at most: what
    they show where an assumption decides it, or where only routes that they do not show could
    lead there."""
    change = could_change(*entries)
    decided = next((entry.decided_if for entry in entries), None)
    if decided is None and not change:
        return f"Whether {start} reaches {end} cannot be decided."
    reaches = "reaches" if decided is not None and decided.reached else "does not reach"
    return f"{AS_SHOWN}, {start} {reaches} {end}{change}."


def hops_matrix(answer: HopsMatrixAnswer, page: Page) -> None:
    """The matrix itself as long as it fits a screen, else a row of figures for each server."""
    size = len(answer.servers)
    page.title(f"Hops between {count(size, server_noun(answer.systems))}{_matrix_open(answer)}.")
    page.blank()
    unsure = frozenset(answer.undetermined)
    if size > MATRIX_SERVERS:
        _matrix_figures(answer, unsure, page)
    else:
        _matrix(answer, unsure, page)
    if unsure:
        page.section("Cannot be decided", Tone.UNSURE)
        page.line("These servers may have routes that the loaded files do not show;", indent=2)
        page.line("what is not reached may be reached through them:", indent=2)
        page.names(answer.undetermined)


def _matrix_open(answer: HopsMatrixAnswer) -> str:
    """That the matrix does not decide all of it, as the end of its first line."""
    size = len(answer.undetermined)
    if size:
        which = answer.undetermined[0] if size == 1 else f"{size:,} of them"
        return f"{as_far(answer) or SHOWN}; {which} may have more routes"
    apart = any(
        hop is None and system != other
        for system, line in zip(answer.systems, answer.hops, strict=False)
        for other, hop in zip(answer.systems, line, strict=False)
    )
    return f"{as_far(answer)}{'; between systems it cannot be decided' if apart else ''}"


def _matrix(answer: HopsMatrixAnswer, unsure: frozenset[str], page: Page) -> None:
    """Columns are numbered, rows carry number and name: long names stay readable."""
    rows: list[list[str | Cell]] = [
        ["", "", *(str(number) for number in range(1, len(answer.servers) + 1))]
    ]
    labels, systems = answer.labels, answer.systems or ("",) * len(answer.servers)
    alone, later = frozenset(answer.cut_off), _later(answer)
    for number, (server, system, line) in enumerate(
        zip(labels, systems, answer.hops, strict=True), 1
    ):
        row: list[str | Cell] = [str(number), server]
        for to, other, hop in zip(labels, systems, line, strict=True):
            open_ = not alone & {server, to} and bool(unsure & {server, to})
            row.append(_matrix_cell(hop, open_ or system != other, later=(server, to) in later))
        rows.append(row)
    page.table(rows, right=(0, *range(2, len(answer.servers) + 2)))
    page.blank()
    far = (
        "not reached, as far as the loaded files show; ? cannot be decided"
        if unsure
        else "not reached"
    )
    if not unsure and (len(set(systems)) > 1 or not answer.exact):
        far = "not reached; ? cannot be decided"
    waits = f"; in brackets {LATER}" if later else ""
    page.line(Cell(f"rows to columns; - {far}{waits}", Tone.FAINT), indent=2)


def _later(answer: HopsMatrixAnswer) -> frozenset[tuple[str, str]]:
    """The ordered pairs of servers between which messages wait on every way, by label."""
    return frozenset((server, to) for server, others in answer.later.items() for to in others)


def _matrix_cell(hop: int | str | None, unsure: bool, *, later: bool) -> str | Cell:
    if isinstance(hop, int):
        return Cell(f"({hop})", Tone.UNSURE) if later else str(hop)
    unsure |= hop is not None
    return Cell("?", Tone.UNSURE) if unsure else "-"


def _matrix_figures(answer: HopsMatrixAnswer, unsure: frozenset[str], page: Page) -> None:
    others = len(answer.servers) - 1
    rows = []
    for server, line in zip(answer.labels, answer.hops, strict=True):
        far = [hop for hop in line if isinstance(hop, int) and hop]
        reached = (
            f"reaches {'at least ' * (bool(unsure) or 'unknown' in line)}{len(far):,} of {others:,}"
        )
        if server in answer.later:
            reached += f", {len(answer.later[server]):,} of them later"
        rows.append(
            (
                server,
                Cell(reached, Tone.UNSURE) if server in unsure else reached,
                f"farthest {count(max(far), 'hop')}" if far else "",
                f"mean {sum(far) / len(far):.1f}" if far else "",
            )
        )
    page.table(rows)
    page.blank()
    page.line(Cell("The hops of each pair: use --format json.", Tone.FAINT), indent=2)


def paths(answer: PathsAnswer, page: Page) -> None:
    """Every path with its steps below it."""
    found = len(answer.paths)
    if answer.from_ == answer.to:
        page.title(f"{answer.to} is the server asked from: a message published there is there.")
    elif not found and answer.undetermined:
        decided = answer.undetermined[0].decided_if
        change = could_change(answer.undetermined[0])
        if not change and (decided is None or decided.reached):
            page.title(
                f"Whether there is a path from {answer.from_} to {answer.to} cannot be decided.",
                Tone.UNSURE,
            )
        else:
            none = f"there is no permitted path from {answer.from_} to {answer.to}"
            page.title(f"{AS_SHOWN}, {none}{change}.", Tone.UNSURE)
    elif not found:
        sure = answer.exact and not answer.truncated
        none = "There is no permitted path" if sure else "No permitted path was found"
        page.title(f"{none} from {answer.from_} to {answer.to}.", Tone.BAD)
    else:
        certain = any(one.certain for one in answer.paths)
        page.title(_paths_found(answer), Tone.TITLE if certain else Tone.UNSURE)
    shown = 0
    for number, path in enumerate(answer.paths, 1):
        page.blank()
        by_zone = zones(path.zone_hops)
        figures = count(path.route_hops, "hop") + (f" ({by_zone})" if by_zone else "")
        cost = f", cost {path.cost}" if path.cost is not None else ""
        page.line(
            f"{number}. ",
            Cell(page.style.path(path.servers), Tone.TITLE),
            f"   {figures}{cost}",
            Cell(_how_certain(path, "  (later)", "  (not certain)"), Tone.UNSURE),
        )
        room = max(0, STEPS_SHOWN - shown)
        page.table(step_rows(path.steps[:room], page.style), indent=5)
        page.more(len(path.steps) - room, indent=5)
        shown += len(path.steps)
    if answer.unused:
        page.section("Of the same cost, not taken")
        for servers in answer.unused:
            page.line(page.style.path(servers), indent=2)
        page.more(answer.unused_count - len(answer.unused))
    stopped_section(page, answer.stopped)
    undetermined(page, answer.undetermined, answer.system)


def _how_certain(path: PathFound, later: str, otherwise: str) -> str:
    """What is said of a path by how certain it is; nothing of a certain one."""
    return "" if path.certain else later if path.later else otherwise


def _paths_found(answer: PathsAnswer) -> str:
    """How many paths there are, on how many of them messages wait, how many are not certain
    otherwise, and for which messages.
    """
    found = len(answer.paths)
    later = sum(path.later for path in answer.paths)
    unsure = sum(not path.certain for path in answer.paths) - later
    between = f"from {answer.from_} to {answer.to}"
    more = (
        f"; {answer.unused_count:,} more of the same cost not taken" if answer.unused_count else ""
    )
    if answer.truncated:
        more = "; there are or may be more (use --max)"
    elif not answer.undetermined:
        more = f"{as_far(answer)}{more}"
    if unsure == found and answer.undetermined:
        return (
            f"Whether there is a path {between} cannot be decided: "
            f"{count(found, 'path')} may be there{paths_for_some(answer)}{more}."
        )
    first = f"The first {'path' if found == 1 else f'{found:,} paths'}"
    said = f"{first if answer.truncated else count(found, 'path')} {between}"
    for some, how in ((unsure, "not for certain"), (later, "later")):
        if some == found:
            said = f"{said}, {how}"
        elif some:
            said = f"{said}, {some:,} of them {how}"
    if later == found:
        said = f"{said}: messages wait on the way"
    return f"{said}{paths_for_some(answer)}{more}."


def paths_for_some(answer: PathsAnswer) -> str:
    """Which messages the paths carry, as part of the verdict: in words where it is the same for
    all of them, else of how many paths it is so.
    """
    said = [for_some(path.steps, certain=path.certain) for path in answer.paths]
    limited = sum(map(bool, said))
    if len(set(said)) <= 1:
        return said[0] if said else ""
    which = "each" if limited == len(said) else f"{limited:,} of them"
    return f", {which} only for some messages"


def undetermined(page: Page, entries: Sequence[Undetermined], system: str = "") -> None:
    """The servers of which the loaded files do not say it, each with the reason and its place, or
    below a reason that several share.

    ``system`` is the one that the question is about: servers of another are called
    ``SYSTEM:name``."""
    for decided, alike in by_assumption(entries).items():
        page.section(_decided(decided) if decided else "Cannot be decided", Tone.UNSURE)
        _open_rows(page, alike, system)
        for paragraph in needed(alike):
            page.line(paragraph, indent=2)


def unsure(
    answer: PropagateAnswer | TraceAnswer,
    stopped: Sequence[Stopped] = (),
    ends: Sequence[End] = (),
) -> str:
    """What the verdict says of the servers that are left open: which no assumption decides; of
    others that it holds as far as the files show. ``stopped`` are links and subscribers, ``ends``
    what becomes of copies: those left open are named, unless the server behind them is.
    """
    own = {(one.system, one.server) for one in getattr(answer, "deliveries", ())}
    left = [entry for entry in answer.undetermined if entry.decided_if is None]
    undecided = dict.fromkeys(_label(entry, answer.system) for entry in left)
    where = dict.fromkeys(
        f"{entry.destination} at {_label(entry, answer.system)}"
        if entry.destination
        else _label(entry, answer.system)
        for entry in left
        if entry.destination or (entry.system, entry.server) not in own
    )
    besides = dict.fromkeys(
        _label(entry, answer.system)
        for entry in left
        if not entry.destination and (entry.system, entry.server) in own
    )
    assumed = any(entry.decided_if for entry in answer.undetermined)
    shown = as_far(answer) or (SHOWN if assumed else "")
    open_ = [one for one in stopped if is_open(one) and one.to not in undecided]
    links = dict.fromkeys(f"from {one.at} to {one.to}" for one in open_ if _is_link(one))
    takers = dict.fromkeys(one.at for one in open_ if not _is_link(one))
    onward = dict.fromkeys(
        one.server for one in ends if is_unknown(one) and one.server not in undecided
    )
    doubts = [
        f"{what} {listed([*names])}"
        for what, names in (
            ("whether it gets to", where),
            ("whether others get it at", besides),
            ("whether it is forwarded", links),
            ("whether it is taken at", takers),
            ("what becomes of it at", onward),
        )
        if names
    ]
    return shown + (f"; {listed(doubts)} cannot be decided" if doubts else "")


def by_assumption(entries: Sequence[Undetermined]) -> dict[DecidedIf | None, list[Undetermined]]:
    """The entries by the assumption that decides them, and how; those that none decides last."""
    found: dict[DecidedIf | None, list[Undetermined]] = {}
    for entry in entries:
        found.setdefault(entry.decided_if, []).append(entry)
    order = sorted(found, key=lambda one: (one is None, one is not None and not one.reached))
    return {one: found[one] for one in order}


def _decided(decided: DecidedIf) -> str:
    return f"{'Reached' if decided.reached else 'Not reached'}, if assumption {decided.rule} holds"


def _left_open(answer: ReachAnswer) -> str:
    """What a verdict says of the servers that the files leave open: which are reached under an
    assumption, how many none decides, and how far it holds.
    """
    entries = answer.undetermined
    if not entries:
        return as_far(answer)
    decided = [
        (entry.server, entry.decided_if.rule)
        for entry in entries
        if entry.decided_if is not None and entry.decided_if.reached
    ]
    more = [*dict.fromkeys(server for server, _ in decided)]
    unsure = {(entry.system, entry.server) for entry in entries if entry.decided_if is None}
    said = f", and also {listed(more)} if {_assumed([rule for _, rule in decided])}"
    not_reached = {
        (entry.system, entry.server): entry.decided_if.rule
        for entry in entries
        if entry.decided_if is not None and not entry.decided_if.reached
    }
    left = [rule for server, rule in not_reached.items() if server not in unsure]
    are = "is" if len(left) == 1 else "are"
    shown = as_far(answer) or SHOWN
    return "".join(
        (
            said if more else "",
            shown,
            f"; {len(unsure):,} cannot be decided" if unsure else "",
            f"; {len(left):,} {are} left open, and not reached if {_assumed(left)}" if left else "",
        )
    )


def _assumed(rules: Iterable[str]) -> str:
    """That assumptions hold, each named once."""
    each = [*dict.fromkeys(rules)]
    return f"assumption{'s' * (len(each) > 1)} {listed(each)} hold{'s' * (len(each) == 1)}"


def _open_rows(page: Page, entries: Sequence[Undetermined], system: str) -> None:
    servers: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        servers.setdefault((entry.because, place(entry.source)), []).append(_label(entry, system))
    if len(servers) == len(entries):
        ways = any(_assumed_way(entry) for entry in entries)
        page.table(
            [
                (
                    _label(entry, system),
                    *([page.style.path(_assumed_way(entry))] if ways else []),
                    entry.because,
                    Cell(place(entry.source), Tone.FAINT),
                )
                for entry in entries
            ]
        )
        return
    for (because, where), names in servers.items():
        page.line(because, Cell(f"  {where}" if where else "", Tone.FAINT), indent=2)
        page.names(names, indent=6)


def _assumed_way(entry: Undetermined) -> tuple[str, ...]:
    """The path to a server that an assumption says is reached."""
    return entry.path if entry.decided_if is not None and entry.decided_if.reached else ()


def _label(entry: Undetermined, system: str) -> str:
    return (
        f"{entry.system}:{entry.server}"
        if system and entry.system not in ("", system)
        else entry.server
    )


def _not_reached(start: str, to: str, exact: bool) -> str:
    """An answer that is not exact does not claim that there is no way."""
    return f"{start} does not reach {to}." if exact else f"{start} was not found to reach {to}."


def _cost(cost: int | None) -> str:
    return "" if cost is None else f"cost {cost}"


def stopped_section(page: Page, entries: Sequence[Stopped]) -> None:
    """The links that a message does not take, each with the condition and its place."""
    if entries:
        stopped = [one for one in entries if not is_open(one)]
        for heading, mark, own in (
            ("Not forwarded", Tone.BAD, [one for one in stopped if _is_link(one)]),
            ("Not delivered", Tone.BAD, [one for one in stopped if not _is_link(one)]),
            (
                "Not known whether forwarded",
                Tone.UNSURE,
                [one for one in entries if is_open(one)],
            ),
        ):
            if own:
                page.section(heading, mark)
                page.table([_stopped_row(stopped, page) for stopped in own])


NO_VALUE = "no value that fits: use --set"
"""Why a selector is UNKNOWN, and what to do."""


def is_open(one: Stopped) -> bool:
    """Whether the loaded files leave open that the message is forwarded. A selector that is
    UNKNOWN of a message certainly does not select it.
    """
    return one.value == Truth.UNKNOWN and one.reason != NotForwarded.SELECTOR


def is_unknown(one: End) -> bool:
    """Whether the loaded files leave open how the message ends there."""
    return one.outcome == Outcome.UNDETERMINED


def _is_link(one: Stopped) -> bool:
    """Whether it is a link that does not forward the message; a subscriber's own selector stops
    it where it is.
    """
    return one.to not in ("", one.at)


def _stopped_row(stopped: Stopped, page: Page) -> Row:
    """The text of a selector with its value; of another guard, which says in words why it fails,
    its value only if that is not certain.
    """
    words = stopped.guard or REASONS.get(stopped.reason, "")
    if stopped.reason == NotForwarded.SELECTOR:
        words = f"{words} is {stopped.value}"
        if stopped.value == Truth.UNKNOWN and not stopped.guard.startswith("the selector is not"):
            words = f"{words} ({NO_VALUE})"
    elif stopped.value == Truth.UNKNOWN:
        words = f"{stopped.value}: {words}"
    return (
        page.style.path((stopped.at, stopped.to)) if _is_link(stopped) else f"at {stopped.at}",
        Cell(stopped.reason, Tone.UNSURE if stopped.value == Truth.UNKNOWN else Tone.BAD),
        stopped.rule,
        Cell(place(stopped.source), Tone.FAINT),
        (f"{stopped.destination}: " if stopped.destination else "") + words,
    )
