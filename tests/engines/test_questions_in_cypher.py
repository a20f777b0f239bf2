"""Every statement of ``cypher/questions`` on every network of the corpus: what people read in the
database is what memory answers.

The corpus is that of ``test_both_engines_answer_alike``. Each system names its statements, and what
each is compared with, in its module ``database_rows``; ``COMPARED`` here has a function for each of
them. A statement that is named like a question, takes a network alone and says in its header that
it holds for every system is compared with the answer: its rows are the entries of its list.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import objects_in_memory
import pytest
from brute_force.ems_estate import estates
from drawn.all_systems import drawn
from draws import draws, share
from engines.corpus import GROUPS, RECORDED, Corpus, Published, published
from every_question import STEPPING
from hypothesis import HealthCheck, Phase, given, settings

from topograph import cypher, extensions
from topograph.facts.ems import EmsBridge, EmsDestination, EmsRoute
from topograph.facts.ems_names import is_wildcard
from topograph.findings import Severity
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.outcomes import NotForwarded
from topograph.questions.records import QUESTIONS
from topograph.store.database import Database
from topograph.store.graph_rows import described
from topograph.store.statements import statement
from topograph.systems import system, systems_in

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
ROLES = {role for name in STEPPING for role in system(name).wording.link_roles}
NAMES = 9
"""Servers of a network from and to which statements are asked."""


class Asked:
    """A published network: its statements, and the same network in memory."""

    def __init__(self, database: Database, network: Published) -> None:
        self.database, self.snapshot, self.name = database, network.snapshot, network.name
        self.memory: Network = network_of(self.snapshot, self.name)
        self.servers = self.memory.server_names()[:NAMES]
        self.loaded = {row["server"]: row["loaded"] for row in self.memory.show("servers").rows}

    def rows(self, statement: str, **parameters: Any) -> list[dict[str, Any]]:
        return self.database.read_once(statement, network=self.name, **parameters)

    def facts(self, kind: type[Any]) -> list[Any]:
        return [fact for fact in self.snapshot.facts(self.name) if isinstance(fact, kind)]


def servers(asked: Asked) -> None:
    shown = [
        (row["server"], row["system"], row["loaded"]) for row in asked.memory.show("servers").rows
    ]
    assert [
        (row["server"], row["system"], row["loaded"]) for row in asked.rows("servers")
    ] == sorted(shown)


def routes(asked: Asked) -> None:
    shown = {
        (*ends, row["zone"] or "", row["source"]["file"], row["source"]["line"])
        for row in asked.memory.show("routes").rows
        if not row["standby"]
        for ends in ((row["from"], row["to"]), (row["to"], row["from"]))
        if row["system"] not in STEPPING or ends == (row["from"], row["to"])
    }
    found = asked.rows("routes")
    assert {(row["server"], row["to"], row["zone"]) for row in found} == {
        each[:3] for each in shown
    }
    names = {
        (row["from"], row["to"], row["name"], row["role"])
        for row in asked.memory.show("routes").rows
        if row["role"]
    }
    assert {
        (row["server"], row["to"], row["name"], row["role"]) for row in found if row["role"]
    } >= {each for each in names if each[3] in ROLES}
    places = {(row["file"], row["line"]) for row in found}
    assert {each[3:] for each in shown} <= places


def zones(asked: Asked) -> None:
    wanted: dict[str, set[str]] = {}
    for row in asked.memory.show("routes").rows:
        wanted.setdefault(row["zone"], set()).update((row["from"], row["to"]))
    assert {row["zone"]: set(row["servers"]) for row in asked.rows("zones")} == wanted


def destinations(asked: Asked) -> None:
    wanted = [
        (*key, row["details"], row["leads_to"], row["source"]["file"], row["source"]["line"])
        for row in asked.memory.show("destinations").rows
        for key in [(row["server"], row["system"], row["name"])]
    ]
    columns = ("server", "system", "name", "details", "leads_to", "file", "line")
    assert sorted(
        tuple(row[name] for name in columns) for row in asked.rows("destinations")
    ) == sorted(wanted)


def message_reach(asked: Asked) -> None:
    for start in asked.servers:
        answer = asked.memory.reach(start)
        found = [
            (r["server"], r["system"], r["hops"], r["certain"], r["later"])
            for r in asked.rows("message-reach", **{"from": start})
        ]
        wanted = [
            (one.server, one.system, one.hops, one.certain, one.later) for one in answer.servers
        ]
        assert sorted(found) == sorted(wanted), start


def reach(asked: Asked) -> None:
    for start in asked.servers:
        answer = asked.memory.reach(start)
        found = asked.rows("reach", **{"from": start})
        certain = {row["server"]: row["hops"] for row in found if row["reached"] is True}
        now = [entry for entry in answer.servers if not entry.later]
        assert certain == {entry.server: entry.hops for entry in now}, start
        later = {row["server"]: row["hops"] for row in found if row["reached"] == "later"}
        waiting = [entry for entry in answer.servers if entry.later]
        assert later == {entry.server: entry.hops for entry in waiting}, start
        unknown = {row["server"] for row in found if row["reached"] == "unknown"}
        assert unknown == {entry.server for entry in answer.undetermined}, start


def some_pairs(asked: Asked) -> Iterator[tuple[str, str]]:
    """All of a small network; of a large one a third, in which each server is the beginning of some
    pairs and the end of others.
    """
    apart = 1 if len(asked.servers) <= 5 else 3
    for number, start in enumerate(asked.servers):
        for end in asked.servers[(number + number // apart) % apart :: apart]:
            yield start, end


def hops(asked: Asked) -> None:
    for start, end in some_pairs(asked):
        answer = asked.memory.hops(start, end)
        (row,) = asked.rows("hops", **{"from": start, "to": end})
        reached = "later" if answer.later else answer.reachable
        assert (row["reached"], row["hops"]) == (reached, answer.route_hops), (start, end)
        if answer.path:
            assert (len(row["path"]), row["cost"]) == (len(answer.path), answer.cost or 0)


def services(asked: Asked) -> None:
    """Each listener with each connector of its address, and the way there; what output shows to
    receive besides is no connector."""
    wanted = Counter(
        (service.destination, one.server, one.name, each.server, each.name, each.path, each.cost)
        for service in asked.memory.services().services
        for one in service.listeners
        for each in one.connectors
        if one.rule != "D-6" and each.kind.endswith("Connector")
    )
    named = ("address", "server", "listener", "at", "connector")
    found = Counter(
        (*(row[name] for name in named), tuple(row["path"] or ()), row["cost"])
        for row in asked.rows("services")
        if row["at"] is not None
    )
    assert found == wanted


def hop_matrix(asked: Asked) -> None:
    answer = asked.memory.hops_matrix()
    wanted = {
        (start, end): (count, end in answer.later.get(start, ()))
        for start, row in zip(answer.servers, answer.hops, strict=True)
        for end, count in zip(answer.servers, row, strict=True)
        if isinstance(count, int) and start != end
    }
    found = asked.rows("hop-matrix")
    assert {(row["from"], row["to"]): (row["hops"], row["later"]) for row in found} == wanted


def paths(asked: Asked) -> None:
    for start in asked.servers[:5]:
        for end in asked.servers[-5:]:
            answer = asked.memory.paths(start, end, maximum=40)
            rows = asked.rows("paths", **{"from": start, "to": end})
            found = [(tuple(row["path"]), row["certain"], row["later"]) for row in rows]
            wanted = [(path.servers, path.certain, path.later) for path in answer.paths]
            assert found == wanted, (start, end)
            for row, path in zip(rows, answer.paths, strict=True):
                named = zip(row["links"], path.steps, strict=True)
                assert all(link == step.link for link, step in named if step.link), row


def why_not(asked: Asked) -> None:
    for start, end in some_pairs(asked):
        answer = asked.memory.reach(start, end)
        if end not in answer.unreachable or answer.warnings:
            continue
        found = asked.rows("why-not", **{"from": start, "to": end})
        stopped = {
            (stop.at, stop.to, stop.reason == NotForwarded.NO_ROUTE) for stop in answer.stopped
        }
        assert stopped == {
            (row["server"], row["to"], row["why"].startswith("no route leads on")) for row in found
        }, (start, end)
        assert all(row["why"] != "not decided by zones" for row in found), found


def multi_path_cycles(asked: Asked) -> None:
    """What the statement decides is so; what it leaves undecided covers the rest."""
    wanted = {
        (entry.server, entry.name): (entry.via, entry.paths)
        for entry in asked.memory.cycles().duplicates
    }
    decided, undecided = {}, set()
    for row in asked.rows("multi-path-cycles"):
        key = row["server"], f"$TMP$.{row['owner']}.>"
        if row["verdict"] == "doubled":
            decided[key] = tuple(row["via"])
            assert all(
                path[0] == row["owner"] and path[-1] == row["server"] for path in row["paths"]
            )
        else:
            undecided.add(key)
    assert {key: via for key, (via, _) in wanted.items() if key not in undecided} == decided
    assert wanted.keys() <= decided.keys() | undecided


def multi_path_cycles_held(asked: Asked) -> None:
    found = asked.rows("multi-path-cycles-held")
    assert {row["note"] != "" for row in found} <= {_may_not_come_up(asked) != set()}
    if not any(row["down"] for row in _routes_down(asked)):  # `cycles` takes all routes as up
        wanted = {
            (entry.server, entry.name): entry.via for entry in asked.memory.cycles().duplicates
        }
        assert {(row["server"], row["name"]): tuple(row["via"]) for row in found} == wanted


def _routes_down(asked: Asked) -> list[dict[str, Any]]:
    query = "MATCH (:Server {network: $network})-[r:ROUTE]->() RETURN DISTINCT r.down AS down"
    return asked.database.query(query, {"network": asked.name})[1]


def _may_not_come_up(asked: Asked) -> set[str]:
    """The servers from which it is not known whether others are reached, because a link may not
    come up: nor whether they hold the names of those.
    """
    return {
        start
        for start in asked.memory.server_names()
        for one in asked.memory.reach(start).undetermined
        if one.because.endswith(("(TL-16)", "(TL-17)", "(TL-20)", "(1.2)"))
    }


def interests(asked: Asked) -> None:
    answer = asked.memory.interests()
    may_not_come_up = _may_not_come_up(asked)
    for server in asked.servers:
        found = asked.rows("interests", server=server)
        noted = [row for row in found if row["note"] != ""]
        found = [row for row in found if row["note"] == ""]
        assert len(noted) <= (bool(may_not_come_up)), server
        assert noted or server not in may_not_come_up, server
        held = {(row["name"], row["via"], row["hops"]) for row in found}
        wanted = {(entry.name, entry.via, entry.hops) for entry in answer.servers.get(server, ())}
        assert wanted <= held
        if all(asked.loaded.values()):
            assert held == wanted
        else:
            assert all(row["certain"] in (True, "unknown") for row in found)


def selectors(asked: Asked) -> None:
    used = {(row["server"], row["to"]) for row in asked.rows("routes")}
    wanted = {
        (
            fact.server,
            line.direction,
            fact.name,
            line.topic,
            line.selector or line.unread,
            line.source.file,
            line.source.line,
        )
        for fact in asked.facts(EmsRoute)
        if (fact.server, fact.name) in used
        for line in fact.selectors
    }
    found = {tuple(row.values()) for row in asked.rows("selectors")}
    assert (
        found <= wanted
    )  # the second member of a fault-tolerant pair repeats the lines of the first (R7)
    assert {row[:5] for row in found} == {row[:5] for row in wanted}


def guards(asked: Asked) -> None:
    wanted: dict[tuple[str, str], int] = {}
    for part in asked.memory._model.parts:
        for forward in part.graph.forwards():
            for number in set(forward.guards):
                guard = part.graph.guards[number]
                wanted[guard.kind, guard.text] = wanted.get(
                    (guard.kind, guard.text), 0
                ) + forward.guards.count(number)
    found: dict[tuple[str, str], int] = {}
    for row in asked.rows("guards"):
        found[row["kind"], row["text"]] = found.get((row["kind"], row["text"]), 0) + row["forwards"]
        if row["kind"] in ("global", "selector", "grant", "link") and row["system"] == "ems":
            assert row["places"], row
    assert found == wanted


def bridges(asked: Asked) -> None:
    wanted = {
        (
            fact.server,
            f"{fact.source_type}:{fact.source_name}",
            f"{fact.target_type}:{fact.target_name}",
            fact.selector,
        )
        for fact in asked.facts(EmsBridge)
    }
    assert {tuple(row.values())[:4] for row in asked.rows("bridges")} == wanted


def queues(asked: Asked) -> None:
    """Each entry for a queue, and a route to its home unless ``trace`` says of a message there
    that no direct one leads to it.
    """
    rows = asked.rows("queues")
    entries = {
        (fact.server, fact.name, fact.owner or fact.server)
        for fact in asked.facts(EmsDestination)
        if fact.type == "queue"
    }
    assert {(row["server"], row["queue"], row["home"]) for row in rows} <= entries
    assert {(row["server"], row["queue"]) for row in rows} == {entry[:2] for entry in entries}
    for row in rows:
        assert (row["route"] == "home") == (row["home"] == row["server"])
        if row["route"] in ("home", "unknown") or is_wildcard(row["queue"]):
            continue
        told = json.dumps(asked.memory.trace(row["server"], f"queue:{row['queue']}").to_dict())
        assert row["route"] != "none" or "no direct route" in told, row
        if f"STUCK({row['server']}, no direct route" in told:
            assert row["route"] == "none", row


def single_points_of_failure(asked: Asked) -> None:
    """Counted path by path, each server between the ends of one and each route of it, and as
    ``impact --sweep`` counts them.
    """
    rows = asked.rows("single-points-of-failure")
    if any(row["kind"] == "network" for row in rows):
        assert len(rows) == 1
        assert asked.memory.cycles().legal is not True
        return
    wanted: Counter[tuple[str, str]] = Counter()
    for start in asked.memory.server_names():
        for entry in asked.memory.reach(start).servers if asked.loaded[start] else ():
            wanted.update(("server", name) for name in entry.path[1:-1])
            wanted.update(("route", "-".join(sorted(ends))) for ends in pairwise(entry.path))
    assert {(row["kind"], row["failed"]): row["pairs"] for row in rows} == wanted
    assert [row["pairs"] for row in rows] == sorted(wanted.values(), reverse=True)
    if all(asked.loaded.values()) and len(asked.memory._model.parts) == 1:
        swept = asked.memory.impact(sweep=True)
        counted = {entry.failed: entry.lost for entry in swept.failures if entry.lost}
        assert {f"{row['kind']}:{row['failed']}": row["pairs"] for row in rows} == counted


def findings(asked: Asked) -> None:
    found = asked.rows("findings")
    wanted = [
        (str(each.severity), each.rule, each.message)
        for each in asked.snapshot.findings(asked.name)
    ]
    assert sorted((row["severity"], row["rule"], row["message"]) for row in found) == sorted(wanted)
    order = [Severity(row["severity"]) for row in found]
    assert order == sorted(order, key=[Severity.ERROR, Severity.WARNING, Severity.INFO].index)
    for row, finding in ((row, f) for row in found for f in asked.snapshot.findings(asked.name)):
        place = finding.message, finding.source.file, finding.source.line
        if (row["message"], row["file"], row["line"]) == place and finding.server in asked.loaded:
            assert finding.server in row["about"]


def propagate(asked: Asked) -> None:
    """``received`` is true for the servers that get the message, 'later' for those that get it
    when it need not wait any longer, 'unknown' for those of which memory cannot say it; among
    subscribers. What bridges put to other destinations is not asked about.
    """
    for start in asked.servers[:4]:
        for topic in ("T", "orders", "news", f"$TMP$.{asked.servers[-1]}.1"):
            for some in ((), tuple(f"{server}:topic:{topic}" for server in asked.servers[::2])):
                message = (start, f"topic:{topic}", {"country": "Canada", "a": 1})
                answer = asked.memory.propagate(*message, subscribers=some)
                guards = asked.memory.message_guards(*message, subscribers=some)
                if guards.refused:
                    assert answer.deliveries == ()
                    continue
                wanting = set(asked.loaded if guards.subscribers is None else guards.subscribers)
                found = asked.rows(
                    "propagate",
                    snapshot=asked.snapshot.id,
                    closed=list(guards.closed),
                    undecided=list(guards.undecided),
                    confined=list(guards.confined),
                    subscribers=None if guards.subscribers is None else list(guards.subscribers),
                    **{"from": start},
                )
                certain = {row["server"]: row["hops"] for row in found if row["received"] is True}
                bridged = {one.server for one in answer.deliveries} - {
                    one.server for one in answer.deliveries if one.destination == f"topic:{topic}"
                }
                received = {start, *answer.received} - bridged
                assert certain.keys() - bridged == received & wanting, message
                later = {row["server"]: row["hops"] for row in found if row["received"] == "later"}
                waiting = {one.server for one in answer.deliveries if one.choice == "later"}
                assert waiting - certain.keys() <= later.keys(), message
                delivered = {
                    entry.server: entry.hops
                    for entry in answer.deliveries
                    if entry.destination == f"topic:{topic}"
                }
                assert {name: (certain | later)[name] for name in delivered} == delivered, message
                unknown = {row["server"] for row in found if row["received"] == "unknown"}
                assert (
                    unknown
                    == {one.server for one in answer.undetermined if not one.destination}
                    & wanting - certain.keys() - later.keys()
                ), message


COMPARED: Mapping[str, Callable[[Asked], None]] = {
    "servers": servers,
    "routes": routes,
    "zones": zones,
    "destinations": destinations,
    "message-reach": message_reach,
    "reach": reach,
    "hops": hops,
    "hop-matrix": hop_matrix,
    "services": services,
    "paths": paths,
    "why-not": why_not,
    "multi-path-cycles": multi_path_cycles,
    "multi-path-cycles-held": multi_path_cycles_held,
    "interests": interests,
    "selectors": selectors,
    "guards": guards,
    "bridges": bridges,
    "queues": queues,
    "single-points-of-failure": single_points_of_failure,
    "findings": findings,
    "propagate": propagate,
}


def with_the_answer(asked: Asked, name: str) -> None:
    """The columns of a statement in the entries of the answer to the question of its name."""
    answer = getattr(asked.memory, name)()
    entries = answer.to_dict()[answer.rows_field]
    found = asked.rows(name)
    assert len(found) == len(entries)
    assert found == [
        {key: entry[key] for key in row} for row, entry in zip(found, entries, strict=True)
    ]


EVERYWHERE = [name for name in cypher.names("questions") if statement(name).compared]
"""The statements that hold for every system."""


def compare(network: Published, database: Database, *, objects: bool = False) -> None:
    """Every statement that the systems of the network offer; with ``objects`` also those about what
    servers have beside destinations and routes."""
    asked = Asked(database, network)
    rows = [
        described(name)
        for tables in asked.snapshot.graph_tables(asked.name)
        for name in systems_in(tables)
    ]
    offered = [name for each in rows if each is not None for name in each.STATEMENTS]
    for name in dict.fromkeys(offered):
        if name in COMPARED:
            COMPARED[name](asked)
        elif objects:
            objects_in_memory.COMPARED[name](asked)
    for name in EVERYWHERE:
        with_the_answer(asked, name)


@pytest.mark.parametrize("systems", GROUPS["stepping"])
def test_networks_whose_messages_go_step_by_step(
    systems: str, database: Database, corpus: Corpus
) -> None:
    compare(corpus.of("stepping", systems), database, objects=True)


@pytest.mark.parametrize("example", GROUPS["examples"])
def test_the_examples(example: str, database: Database, corpus: Corpus) -> None:
    compare(corpus.of("examples", example), database, objects=True)


@pytest.mark.parametrize("case", RECORDED)
def test_the_recorded_networks_of_routers(case: str, database: Database, corpus: Corpus) -> None:
    compare(corpus.of("recorded", case), database)


@pytest.mark.parametrize("name", GROUPS["open"])
def test_networks_that_their_files_leave_open(
    name: str, database: Database, corpus: Corpus
) -> None:
    compare(corpus.of("open", name), database)


@pytest.mark.parametrize("of_a", ["B", "BC"], ids=["legal", "with-a-circle"])
@pytest.mark.parametrize("waiting", [["B/C"], ["A/C"], ["B/C", "A/C"], ["C/D"]])
def test_networks_with_suspended_routes(
    of_a: str,
    waiting: list[str],
    database: Database,
    network_name: str,
    tmp_path: Path,
) -> None:
    """A chain of four servers, and one that is not legal: A and C are joined as well (R53)."""
    joined = {"A": of_a, "B": "C", "C": "D", "D": ""}
    for server, others in joined.items():
        folder = tmp_path / server
        folder.mkdir()
        main = f"server = {server}\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
        (folder / "tibemsd.conf").write_text(main, "utf-8")
        (folder / "topics.conf").write_text("T global\n", "utf-8")
        routes = "".join(f"[{one}]\n url = tcp://{one.lower()}:7222\n" for one in others)
        (folder / "routes.conf").write_text(routes or "# none\n", "utf-8")
    said = [one.split("/") for one in waiting]
    entries = "".join(f"  - {{server: {here}, route: {there}}}\n" for here, there in said)
    (tmp_path / "topograph.yaml").write_text(f"suspended:\n{entries}", "utf-8")
    compare(published(database, read_snapshot(tmp_path), network_name), database)


@pytest.mark.parametrize("number", [1, 2, 9, 53])
def test_networks_with_queue_managers_that_cannot_be_reached_at_the_moment(
    number: int, database: Database, network_name: str, tmp_path: Path
) -> None:
    """Messages wait before them, and get there later."""
    for name, content in drawn("mqe", "one", number).files.items():
        (tmp_path / name).write_text(content, "utf-8")
    asked = Asked(database, published(database, read_snapshot(tmp_path), network_name))
    assert asked.memory.hops_matrix().later
    message_reach(asked)


@pytest.mark.parametrize("vector", share(GROUPS["ems"], 2))
def test_the_networks_of_the_vectors(vector: str, database: Database, corpus: Corpus) -> None:
    compare(corpus.of("ems", vector), database)


@settings(
    max_examples=draws(7),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(estate=estates())
def test_random_estates(
    estate: Any, database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("estate")
    estate.write(root)
    compare(published(database, read_snapshot(root), f"random-{root.name}"), database)


def test_every_statement_for_people_is_offered_by_a_system_and_compared() -> None:
    own = [rows for system in extensions.OWN if (rows := described(system)) is not None]
    offered = {name for rows in own for name in rows.STATEMENTS}
    assert {"snapshots", *offered, *EVERYWHERE} == set(cypher.names("questions"))
    assert offered == COMPARED.keys() | objects_in_memory.COMPARED.keys()
    assert [name for name in EVERYWHERE if name not in {one.name for one in QUESTIONS}] == []
