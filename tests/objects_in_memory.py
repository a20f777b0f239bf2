"""What the statements about subscriptions, channels, files and the like are compared with
(``engines.test_questions_in_cypher``): the answers of memory, walked through in Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from topograph.errors import TopographError
from topograph.facts.ibm_mq import Channel, QueueManager, Subscription
from topograph.side_inputs import SideInputs
from topograph.systems.ems.destinations.topics import matches
from topograph.systems.fact_sources import FactList
from topograph.systems.ibm_mq.groups import groups
from topograph.systems.ibm_mq.routing.topics import matches_levels

Row = Mapping[str, Any]
Node = tuple[str, str, str]
"""Server, type and name of a destination."""

TOPICS = ("T", "orders", "news", "stock.a", "prices.a.b", "stock/a")
SOME = 8


def shown(asked: Any, what: str) -> list[Row]:
    """The rows of ``show`` of servers that the database has."""
    return [row for row in asked.memory.show(what).rows if row.get("server", "") in asked.loaded]


def _system(asked: Any) -> set[str]:
    return {row["system"] for row in asked.memory.show("servers").rows}


def _of(row: Row, systems: set[str]) -> str:
    return row.get("system") or next(iter(systems))


def subscriptions(asked: Any) -> None:
    named = ("server", "type", "name", "client_id", "user", "selector", "known")
    rows = asked.rows("subscriptions")
    wanted = [row for row in shown(asked, "subscribers") if row["type"] != "bridge"]
    assert Counter(tuple(row[each] for each in named) for row in rows) == Counter(
        tuple(row.get(each, "") for each in named) for row in wanted
    )
    plain = [row["destination"] for row in wanted if "TOPICOBJ" not in row["destination"]]
    assert not Counter(plain) - Counter(row["destination"] for row in rows)
    delivered = Counter((row["server"], row["name"], row.get("leads_to", "")) for row in wanted)
    assert delivered == Counter((r["server"], r["name"], r["delivers_to"]) for r in rows)


def durable_subscribers(asked: Any) -> None:
    named = {row["destination"].removeprefix("topic:") for row in shown(asked, "subscribers")}
    objects = {one.name for one in asked.facts(Subscription) if one.get("TOPICOBJ")}
    by_character = {one.name for one in asked.facts(Subscription) if one.get("WSCHEMA")}
    for topic in (*TOPICS, *sorted(named)[:SOME]):
        wanted = Counter(
            (row["server"], row["name"])
            for row in shown(asked, "subscribers")
            if _is_durable(row) and row["name"] not in objects | by_character
            if _takes(row, topic)
        )
        found = asked.rows("durable-subscribers", topic=topic)
        others = objects | by_character
        assert wanted == Counter(
            (r["server"], r["name"]) for r in found if r["name"] not in others
        ), topic


def _is_durable(row: Row) -> bool:
    kind = row["type"]
    return kind.startswith(("durable", "subscription")) or (kind == "client" and row["name"])


def _takes(row: Row, topic: str) -> bool:
    of, _, pattern = row["destination"].partition(":")
    if of != "topic":
        return False
    if row.get("system") == "ibm_mq":
        return matches_levels(pattern.split("/"), topic.split("/"))
    if row.get("system", "ems") == "ems":
        return matches(pattern, topic)
    return pattern == topic


def channels(asked: Any) -> None:
    wanted = Counter(_channel(row) for row in shown(asked, "channels"))
    rows = [row for row in asked.rows("channels") if row["system"] == "ibm_mq"]
    assert Counter(_channel(row) for row in rows) == wanted


def _channel(row: Row) -> tuple[Any, ...]:
    plain = tuple(row[key] for key in ("server", "name", "type", "queue", "address", "observed"))
    file = row["source"]["file"] if "source" in row else row["file"]
    return (*plain, tuple(sorted(set(row["leads_to"]))), file)


def channels_without_tls(asked: Any) -> None:
    named = {
        (row["server"], row["name"], row["source"]["line"]) for row in shown(asked, "channels")
    }
    wanted = Counter()
    for fact in asked.facts(Channel):
        if (fact.server, fact.name, fact.source.line) in named and fact.verb in (
            "DEFINE",
            "ALTER",
        ):
            cipher = fact.attribute("SSLCIPH")
            if cipher is None or not cipher.value.strip():
                told = "not shown" if cipher is None and fact.partial else "none"
                wanted[fact.server, fact.name, told] += 1
    rows = [row for row in asked.rows("channels-without-tls") if row["system"] == "ibm_mq"]
    found = Counter((row["server"], row["channel"], row["tls"]) for row in rows)
    assert found.keys() == wanted.keys()


def clusters(asked: Any) -> None:
    facts = [fact for fact in asked.snapshot.facts(asked.name) if fact.system == "ibm_mq"]
    known = groups(FactList(facts), SideInputs(), None)
    rows = {row["cluster"]: row for row in asked.rows("clusters")}
    full: dict[str, set[str]] = {}
    for fact in facts:
        if isinstance(fact, QueueManager) and fact.get("REPOS"):
            full.setdefault(fact.get("REPOS"), set()).add(fact.server)
    for group in known:
        row = rows[group.name]
        assert {*row["full"], *row["partial"]} >= set(group.servers)
        assert {*row["partial"]} <= set(group.servers)
    for name, managers in full.items():
        assert managers <= set(rows[name]["full"]), name


def dead_letters(asked: Any) -> None:
    wanted: set[tuple[str, str | None, str]] = set()
    names = {(row["server"], row["name"]) for row in shown(asked, "destinations")}
    for fact in asked.facts(QueueManager):
        if fact.get("DEADQ") and (fact.server, fact.get("DEADQ")) in names:
            wanted.add((fact.server, None, fact.get("DEADQ")))
    for row in shown(asked, "destinations"):
        for part in row["details"].split("; "):
            _, found, name = part.partition("exception destination=")
            if found and (row["server"], name) in names:
                wanted.add((row["server"], row["name"], name))
    rows = asked.rows("dead-letters")
    assert {(row["server"], row["destination"], row["dead_letters_to"]) for row in rows} == wanted


class Onward:
    """Where each destination leads, out of the rows of ``show destinations``. ``unsure`` are those
    whose text says less than the definition: what a cluster or an alias decides."""

    def __init__(self, asked: Any) -> None:
        self.rows = shown(asked, "destinations")
        self.systems = _system(asked)
        self.nodes: dict[tuple[str, str], set[Node]] = {}
        self.ends: dict[Node, set[Node]] = {}
        self.unsure: set[Node] = set()
        for row in self.rows:
            if row["type"] not in ("bridge", "durable"):
                node = self.node(row)
                self.nodes.setdefault((node[0], node[2]), set()).add(node)
        for row in self.rows:
            if row["type"] == "bridge" and _of(row, self.systems) == "ems":
                for one in (row["name"], row["leads_to"][0]):
                    type_, _, name = one.partition(":")
                    self.nodes.setdefault((row["server"], name), set()).add(
                        (row["server"], type_, name)
                    )
        for row in self.rows:
            for start, end in self.steps(row):
                self.ends.setdefault(start, set()).update(self.nodes.get(end[::2], ()) & {end})

    def node(self, row: Row) -> Node:
        kind = {"topicspace": "topic"}.get(row["type"].lower(), row["type"].lower())
        name = row["name"]
        if _of(row, self.systems) == "ems":
            name = name.partition("@")[0]
        return row["server"], kind, name

    def steps(self, row: Row) -> Iterator[tuple[Node, Node]]:
        system, at = _of(row, self.systems), row["server"]
        for text in row.get("leads_to", ()):
            if row["type"] == "bridge" and system == "ems":
                (one, _, name), (two, _, other) = row["name"].partition(":"), text.partition(":")
                yield (at, one, name), (at, two, other)
                continue
            start = self.node(row)
            name, _, server = text.rpartition("@") if "@" in text else (text, "", at)
            if system == "mqe":
                if not row["details"].startswith(("remote", "bridge")):
                    continue
                name, server = row["name"], text
            for end in self.nodes.get((server, name), ()):
                wanted = {"ibm_mq": _mq_type(row), "ems": "queue"}.get(system, end[1])
                if end[1] != wanted:
                    continue
                yield start, end
            if system == "ibm_mq" and (
                not self.nodes.get((server, name)) or self.nodes.get((at, server))
            ):
                self.unsure.add(start)
            if system == "sibus" and (server, name) not in self.nodes:
                self.unsure.add(start)

    def reached(self, start: Node) -> tuple[set[Node], bool]:
        """What a destination leads to, and whether that is sure."""
        found, waiting, sure = {start}, [start], True
        while waiting:
            node = waiting.pop()
            sure = sure and node not in self.unsure
            new = self.ends.get(node, set()) - found
            found |= new
            waiting += new
        return found, sure


def _mq_type(row: Row) -> str:
    return "topic" if "TARGTYPE(TOPIC)" in row["details"] else "queue"


def leads_to(asked: Any) -> None:
    onward = Onward(asked)
    starts = sorted(onward.ends, key=lambda node: (len(onward.ends[node]) == 0, node))
    servers = Counter(row["server"] for row in asked.memory.show("servers").rows)
    for start in starts[:SOME]:
        wanted, sure = onward.reached(start)
        if not sure or servers[start[0]] > 1 or _system(asked) == {"amq_interconnect"}:
            continue
        server, _, name = start
        rows = asked.rows("leads-to", server=server, destination=name)
        if sum(row["steps"] == 0 for row in rows) > 1:
            continue  # a queue and a topic of one name
        assert {(row["server"], row["type"], row["name"]) for row in rows} == wanted, start
        for row in rows:
            assert len(row["path"]) == row["steps"] + 1 == len(row["by"]) + 1
            if row["end"]:
                assert not onward.ends.get((row["server"], row["type"], row["name"]))


def without_consumers(asked: Any) -> None:
    onward, systems = Onward(asked), _system(asked)
    subscribers = [row for row in shown(asked, "subscribers") if row["type"] != "bridge"]
    patterns = [
        row["destination"].removeprefix("topic:")
        for row in subscribers
        if row["destination"].startswith("topic:") and _of(row, systems) == "ems"
    ]
    exact = {(row["server"], row["destination"]) for row in subscribers}
    read = {(row["server"], row["queue"]) for row in shown(asked, "channels")}
    strings = {
        (row["server"], row["destination"]) for row in subscribers if _of(row, systems) == "ibm_mq"
    }
    rows = asked.rows("without-consumers")
    found = {(row["server"], row["type"], row["name"]) for row in rows}
    for row in onward.rows:
        system = _of(row, systems)
        if system == "amq_interconnect" or row["type"] in ("bridge", "durable"):
            continue
        node = onward.node(row)
        taken = (
            row["leads_to"] != []
            or bool(onward.ends.get(node))
            or (node[0], f"{node[1]}:{node[2]}") in exact
            or (node[1] == "queue" and (node[0], node[2]) in read)
            or "mediation=" in row["details"]
        )
        if system == "ems" and node[1] == "topic":
            taken = taken or any(matches(pattern, node[2]) for pattern in patterns)
        if system == "ibm_mq" and node[1] == "topic":
            string = row["details"].partition("TOPICSTR(")[2].partition(")")[0]
            taken = taken or bool(
                {(node[0], f"topic:{string}"), (node[0], f"TOPICOBJ({node[2]})")} & strings
            )
            if any(destination.startswith("TOPICOBJ") for _, destination in strings):
                continue  # a topic string behind that of an object
        same = [one for one in onward.rows if onward.node(one) == node and one is not row]
        if not same:
            assert (node not in found) == taken, (node, taken)


def files(asked: Any) -> None:
    for server in asked.servers:
        rows = {row["path"]: row for row in asked.rows("files", server=server)}
        wanted = Counter(row["path"] for row in asked.memory.show("files", server=server).rows)
        assert wanted.keys() <= rows.keys()
        for path, row in rows.items():
            assert path in wanted or row["defined"] or row["role"] == ""
        for row in asked.memory.show("files", server=server).rows:
            assert row["role"] in rows[row["path"]]["role"].split(", ")


def findings_by_file(asked: Any) -> None:
    wanted: dict[str, Counter[str]] = {}
    for finding in asked.snapshot.findings(asked.name):
        wanted.setdefault(finding.source.file, Counter())[str(finding.severity)] += 1
    rows = asked.rows("findings-by-file")
    assert {row["file"]: (row["errors"], row["warnings"], row["infos"]) for row in rows} == {
        file: (count["error"], count["warning"], count["info"]) for file, count in wanted.items()
    }
    order = [(-row["errors"], -row["warnings"], -row["infos"], row["file"]) for row in rows]
    assert order == sorted(order)


def owners_on_path(asked: Any) -> None:
    for start in asked.servers[:3]:
        for end in asked.servers[-3:]:
            if start == end:
                continue
            paths = [path.servers for path in asked.memory.paths(start, end, maximum=40).paths]
            rows = asked.rows("owners-on-path", **{"from": start, "to": end})
            way = tuple(row["server"] for row in rows)
            assert [row["position"] for row in rows] == list(range(len(way)))
            if paths and len(set(way)) == len(way):
                assert way in [path for path in paths if len(path) == len(paths[0])], way


def assumptions(asked: Any) -> None:
    rows = asked.rows("assumptions")
    used = {(row["rule"], row["text"]) for row in rows if row["used"]}
    if len(asked.memory._model.parts) == 1:
        told = asked.memory.hops_matrix().assumptions
        assert {(one.rule, one.text) for one in told} >= used
    open_ = {(row["rule"], row["text"]): set(row["servers"]) for row in rows if row["servers"]}
    for start in asked.servers:
        answer = asked.memory.reach(start)
        reached = {start, *(one.server for one in answer.servers)}
        told = {(one.rule, one.text) for one in answer.assumptions}
        for said, servers in open_.items():
            if said not in used and reached & servers and answer.unreachable:
                assert said in told, (start, said)
        for said in told - used:
            assert said not in open_ or open_[said] & reached, (start, said)


def changes(asked: Any) -> None:
    same = asked.rows("changes", before=asked.snapshot.id, after=asked.snapshot.id)
    assert same == []


def channel_down(asked: Any) -> None:
    """The pairs that a walk gets to, and not one without the steps between servers that only that
    channel joins; with ``impact`` where no two servers have several channels between them."""
    joined: dict[tuple[str, str], set[str]] = {}
    for row in asked.memory.show("links").rows:
        if row["state"] in ("in use", "not known"):
            joined.setdefault((row["from"], row["to"]), set()).add(row["name"])
            if not row["one_way"]:
                joined.setdefault((row["to"], row["from"]), set()).add(row["name"])
    single = all(len(names) == 1 for names in joined.values())
    for name in sorted({row["name"] for row in shown(asked, "channels")})[:SOME]:
        found = {(row["from"], row["to"]) for row in asked.rows("channel-down", channel=name)}
        for part in asked.memory._model.parts:
            if part.graph.system == "stepping" and single:
                without = {ends for ends, names in joined.items() if names == {name}}
                lost = _pairs(part.graph, set()) - _pairs(part.graph, without)
                assert found == lost, name
        try:
            impact = asked.memory.impact([f"channel:{name}"]).lost
        except TopographError:
            continue  # several queue managers have one of that name
        assert not single or {(one.from_, one.to) for one in impact} <= found, name


def _pairs(graph: Any, without: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which servers get to which, by the forwards of a graph but for those between some servers."""
    server = [graph.servers[number].name for number in graph.servers_of_points]
    onward: dict[int, list[int]] = {}
    for forward in graph.forwards():
        if (server[forward.start], server[forward.end]) not in without:
            onward.setdefault(forward.start, []).append(forward.end)
    found = set()
    for number, point in enumerate(graph.points):
        waiting, seen = ([number] if point.kind == "origin" else []), {number}
        while waiting:
            for end in onward.get(waiting.pop(), ()):
                if end not in seen:
                    seen.add(end)
                    waiting.append(end)
        if point.kind == "origin":
            found |= {(server[number], server[end]) for end in seen} - {(server[number],) * 2}
    return found


COMPARED: Mapping[str, Callable[[Any], None]] = {
    "assumptions": assumptions,
    "changes": changes,
    "channel-down": channel_down,
    "channels": channels,
    "channels-without-tls": channels_without_tls,
    "clusters": clusters,
    "dead-letters": dead_letters,
    "durable-subscribers": durable_subscribers,
    "files": files,
    "findings-by-file": findings_by_file,
    "leads-to": leads_to,
    "owners-on-path": owners_on_path,
    "subscriptions": subscriptions,
    "without-consumers": without_consumers,
}
"""The comparison of each statement."""
