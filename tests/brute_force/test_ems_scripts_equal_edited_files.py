"""Random scripts of administration commands leave what the files say that a writer of its own
leaves, who knows the specification alone.

The writer keeps the sub-files of each server as dicts, carries out each command on them or refuses
it, and writes the files anew. The facts, the compiled tables and the answers of both are equal,
wherever the lines stand.
"""

from __future__ import annotations

import copy
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.audit.changing_parts import ChangingPart
from topograph.audit.witnesses import model_after
from topograph.errors import NotApplicable, UsageError
from topograph.facts.fact import Fact
from topograph.facts.rows import encode, without_places
from topograph.importers.ems.commands import read_script
from topograph.message import Message
from topograph.network import Network
from topograph.questions.model import Model
from topograph.questions.propagate import propagate
from topograph.questions.show import show
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.ems import changes as ems_changes

pytestmark = pytest.mark.slow

MANY = settings(
    max_examples=draws(75),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

SERVERS = ("A", "B", "C")
TOPICS = ("news", "orders.eu", "orders.>", "log", "a.*")
QUEUES = ("q1", "q2", "work.>")
SELECTORS = ("x = 1", "country = 'Canada'", "qty > 5 AND y IS NULL")
PERMISSIONS = {
    "topic": ("subscribe", "publish", "durable", "use_durable"),
    "queue": ("receive", "send", "browse"),
}
PROPERTIES = {
    "maxbytes": "10MB",
    "maxmsgs": "100",
    "expiration": "30",
    "overflowPolicy": "discardOld",
    "secure": "",
    "global": "",
}
PRINCIPALS = ("A", "B", "C", "ann")
GROUPS = ("peers", "clerks")


@dataclass
class Files:
    """The sub-files of one server, as a person who edits them thinks of them."""

    routes: dict[str, dict[str, Any]] = field(default_factory=dict)
    topics: dict[str, dict[str, str]] = field(default_factory=dict)
    queues: dict[str, dict[str, str]] = field(default_factory=dict)
    bridges: dict[tuple[str, str], str] = field(default_factory=dict)
    durables: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """(client id, name), or (``route TOPIC``, name): topic and selector."""
    grants: dict[tuple[str, str, str, str], set[str]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    main: dict[str, str] = field(
        default_factory=lambda: {"routing": "enabled", "authorization": "disabled"}
    )

    def write(self, server: str, folder: Path) -> None:
        folder.mkdir(parents=True)
        kinds = ("routes", "topics", "queues", "bridges", "durables", "acl_list", "groups")
        names = "".join(f"{kind} = {kind}.conf\n" for kind in kinds)
        states = "".join(f"{key} = {value}\n" for key, value in self.main.items())
        texts = {
            "tibemsd": f"server = {server}\nlisten = tcp://{server.lower()}:7222\n{states}{names}",
            "routes": "".join(_section(name, route) for name, route in self.routes.items()),
            "topics": "".join(_entry(name, own) for name, own in self.topics.items()),
            "queues": "".join(_entry(name, own) for name, own in self.queues.items()),
            "bridges": "".join(_bridges(one, self.bridges) for one in _sources(self.bridges)),
            "durables": "".join(_durable(*key, *value) for key, value in self.durables.items()),
            "acl_list": "".join(
                f"{type_.upper()}={name} {kind.upper()}={who} PERM={','.join(sorted(held))}\n"
                for (type_, name, kind, who), held in self.grants.items()
                if held
            ),
            "groups": "".join(
                f"{name}:\n{''.join(f'  {one}{chr(10)}' for one in all_)}"
                for name, all_ in self.groups.items()
            ),
        }
        for name, text in texts.items():
            (folder / f"{name}.conf").write_text(text, encoding="utf-8")


def _sources(bridges: Mapping[tuple[str, str], str]) -> list[str]:
    return list(dict.fromkeys(source for source, _ in bridges))


def _bridges(source: str, bridges: Mapping[tuple[str, str], str]) -> str:
    """The one section of a source, as the server writes it (TL-26)."""
    lines = (
        f"  {target.replace(':', '=', 1)}{_selector(selector)}\n"
        for (one, target), selector in bridges.items()
        if one == source
    )
    return f"[{source}]\n{''.join(lines)}"


def _selector(text: str) -> str:
    return f' selector="{text}"' if text else ""


def _section(name: str, route: Mapping[str, Any]) -> str:
    lines = [f"{key}={value}" for key, value in route.items() if key != "selectors"]
    lines += [
        f"{direction}_topic={topic}{_selector(text)}"
        for (direction, topic), text in route["selectors"].items()
    ]
    return f"[{name}]\n" + "".join(f"  {line}\n" for line in lines)


def _entry(name: str, own: Mapping[str, str]) -> str:
    return f"{name} {_listed(own)}\n"


def _listed(own: Mapping[str, str]) -> str:
    return ",".join(f"{key}={value}" if value else key for key, value in own.items())


def _durable(identity: str, name: str, topic: str, selector: str) -> str:
    if identity.startswith("route "):
        return f"{topic} {name} route\n"
    properties = [f"clientid={identity}"] if identity else []
    properties += [f'selector="{selector}"'] if selector else []
    return f"{topic} {name} {','.join(properties)}\n"


class Refused(Exception):
    """The server refuses the command."""


def a_command(draw: st.DrawFn, files: Files, server: str) -> str:
    """A command on the files of a server, which it changes as the command does; they stay as
    they are where it is refused.
    """
    what = draw(
        st.sampled_from(
            [
                route,
                route,
                destination,
                destination,
                bridge,
                durable,
                permission,
                permission,
                group,
                main,
            ]
        )
    )
    return what(draw, files, server)


def properties_of(draw: st.DrawFn, kind: str) -> dict[str, str]:
    keys = draw(st.lists(st.sampled_from(sorted(PROPERTIES)), unique=True, max_size=3))
    return {key: PROPERTIES[key] for key in keys if kind == "topic" or key != "export"}


def selectors_of(draw: st.DrawFn, least: int = 0) -> dict[tuple[str, str], str]:
    keys = st.tuples(st.sampled_from(["incoming", "outgoing"]), st.sampled_from(TOPICS))
    chosen = draw(st.lists(keys, unique=True, min_size=least, max_size=2))
    return {key: draw(st.sampled_from(SELECTORS)) for key in chosen}


def route_properties(draw: st.DrawFn) -> dict[str, str]:
    found: dict[str, str] = {}
    if draw(st.booleans()):
        found["topic_prefetch"] = draw(st.sampled_from(["5", "64"]))
    if draw(st.integers(0, 3)) == 0:
        found["ssl_verify_host"] = "disabled"
    return found


def spelled(selectors: Mapping[tuple[str, str], str]) -> str:
    return "".join(
        f' {direction}_topic={topic} selector="{text}"'
        for (direction, topic), text in selectors.items()
    )


def route(draw: st.DrawFn, files: Files, server: str) -> str:
    other = draw(st.sampled_from([*SERVERS, "D"]))
    known = files.routes.get(other)
    verb = draw(st.sampled_from(["create", "delete", "addprop", "setprop", "removeprop"]))
    plain, chosen = route_properties(draw), selectors_of(draw)
    stated = "".join(f" {key}={value}" for key, value in plain.items())
    if verb == "create":
        zone = draw(
            st.sampled_from([{}, {"zone_name": "M"}, {"zone_name": "Z", "zone_type": "1hop"}])
        )
        shown = "".join(f" {key}={value}" for key, value in zone.items())
        if known is None and other != server:
            files.routes[other] = {
                "url": f"tcp://{other.lower()}:7222",
                **zone,
                **plain,
                "selectors": chosen,
            }
        return (
            f"create route {other} url=tcp://{other.lower()}:7222{shown}{stated}{spelled(chosen)}"
        )
    if verb == "delete":
        files.routes.pop(other, None)
        return f"delete route {other}"
    kept = {
        key: value
        for key, value in (known or {}).items()
        if key in ("url", "zone_name", "zone_type")
    }
    if verb == "removeprop":
        gone = draw(
            st.lists(
                st.sampled_from(["topic_prefetch", "ssl_verify_host"]), unique=True, max_size=2
            )
        )
        names = list(known["selectors"]) if known else []
        of = [draw(st.sampled_from(names))] if names and draw(st.booleans()) else []
        missing = [("incoming", "nothing.there")] if not gone and not of else []
        if known is not None and not missing:
            for key in gone:
                known.pop(key, None)
            for pair in of:
                del known["selectors"][pair]
        return f"removeprop route {other} " + " ".join(
            [*gone, *(f"{d}_topic={t}" for d, t in (*of, *missing))]
        )
    if not plain and not chosen:
        plain = {"topic_prefetch": "7"}
        stated = " topic_prefetch=7"
    if known is not None and verb == "addprop":
        files.routes[other] = {**known, **plain, "selectors": {**known["selectors"], **chosen}}
    elif known is not None:
        files.routes[other] = {**kept, **plain, "selectors": chosen}
    return f"{verb} route {other}{stated}{spelled(chosen)}"


def destination(draw: st.DrawFn, files: Files, server: str) -> str:
    kind = draw(st.sampled_from(["topic", "queue"]))
    entries = files.topics if kind == "topic" else files.queues
    names = TOPICS if kind == "topic" else (*QUEUES, "q1@B", "q2@C")
    name = draw(st.sampled_from(names))
    key = name.removesuffix(f"@{server}")
    same = next((one for one in entries if one.removesuffix(f"@{server}") == key), None)
    verb = draw(
        st.sampled_from(["create", "create", "delete", "addprop", "setprop", "removeprop", "all"])
    )
    own = properties_of(draw, kind)
    sources = {source for source, _ in files.bridges}
    if verb == "create":
        if same is None:
            entries[name] = own
        return f"create {kind} {name} {_listed(own)}"
    if verb == "delete":
        if same is not None and f"{kind}:{key.partition('@')[0]}" not in sources:
            del entries[same]
        return f"delete {kind} {name}"
    if verb == "all":
        pattern = draw(st.sampled_from(["", *names]))
        for one in list(entries):
            bare = one.partition("@")[0]
            if (not pattern or covers(pattern, bare)) and f"{kind}:{bare}" not in sources:
                del entries[one]
        return f"delete all {kind}s {pattern}"
    if verb == "removeprop":
        gone = draw(
            st.lists(st.sampled_from(sorted(PROPERTIES)), unique=True, min_size=1, max_size=2)
        )
        if same is not None:
            for key_ in gone:
                entries[same].pop(key_, None)
        return f"removeprop {kind} {name} {','.join(gone)}"
    if not own:
        own = {"maxmsgs": "100"}
    if same is not None:
        entries[same] = {**entries[same], **own} if verb == "addprop" else own
    return f"{verb} {kind} {name} {_listed(own)}"


def covers(pattern: str, name: str) -> bool:
    """Whether a pattern covers a name, of the few names here."""
    return (
        pattern == name
        or (pattern in ("orders.>",) and name.startswith("orders."))
        or (pattern == "work.>" and name.startswith("work."))
    )


def bridge(draw: st.DrawFn, files: Files, server: str) -> str:
    ends = ["topic:news", "topic:log", "queue:q1", "queue:q2"]
    source, target = draw(st.sampled_from([*ends, "topic:orders.>"])), draw(st.sampled_from(ends))
    if draw(st.booleans()):
        files.bridges.pop((source, target), None)
        return f"delete bridge source={source} target={target}"
    selector = draw(st.sampled_from(["", *SELECTORS]))
    files.bridges.setdefault((source, target), selector)
    return f"create bridge target={target} source={source}{_selector(selector)}"


def durable(draw: st.DrawFn, files: Files, server: str) -> str:
    topic, name, client = (
        draw(st.sampled_from(TOPICS[:2])),
        draw(st.sampled_from(["one", "B"])),
        draw(st.sampled_from(["", "c1"])),
    )
    verb = draw(st.sampled_from(["create", "create", "route", "delete", "delete", "all"]))
    if verb == "route":
        files.durables.setdefault((f"route {topic}", name), (topic, ""))
        return f"create durable {topic} {name} route"
    if verb == "create":
        selector = draw(st.sampled_from(["", *SELECTORS]))
        files.durables.setdefault((client, name), (topic, selector))
        return f"create durable {_durable(client, name, topic, selector)}".rstrip()
    if verb == "all":
        files.durables.clear()
        return "delete all durables"
    gone = [key for key in files.durables if key[1] == name and (not client or key[0] == client)]
    for key in gone:
        del files.durables[key]
    return f"delete durable {name} {client}".rstrip()


def permission(draw: st.DrawFn, files: Files, server: str) -> str:
    type_ = draw(st.sampled_from(["topic", "queue"]))
    name = draw(st.sampled_from(TOPICS if type_ == "topic" else QUEUES))
    who, kind = draw(st.sampled_from(PRINCIPALS)), "user"
    written = f"user={who}"
    if draw(st.integers(0, 2)) == 0:
        who = draw(st.sampled_from(GROUPS))
        kind, written = "group", f"group={who}"
        if draw(st.booleans()):
            kind, written = ("group" if who in files.groups else "user"), who
    every = {*PERMISSIONS[type_]}
    listed = draw(
        st.lists(st.sampled_from([*PERMISSIONS[type_], "all"]), unique=True, min_size=1, max_size=3)
    )
    meant = every if "all" in listed else set(listed)
    key = type_, name, kind, who
    verb = draw(st.sampled_from(["grant", "grant", "revoke", "star"]))
    if verb == "grant":
        files.grants[key] = files.grants.get(key, set()) | meant
        return f"grant {type_} {name} {written} {', '.join(listed)}"
    if verb == "star":
        for each in [one for one in files.grants if one[:2] == key[:2]]:
            del files.grants[each]
        return f"revoke {type_} {name} *{draw(st.sampled_from(['', ' user', ' both']))}"
    if key in files.grants:
        files.grants[key] -= meant
        if not files.grants[key]:
            del files.grants[key]
    return f"revoke {type_} {name} {written} {','.join(listed)}"


def group(draw: st.DrawFn, files: Files, server: str) -> str:
    name, who = (
        draw(st.sampled_from(GROUPS)),
        draw(st.lists(st.sampled_from(PRINCIPALS), unique=True, min_size=1, max_size=2)),
    )
    verb = draw(st.sampled_from(["create", "delete", "add", "remove"]))
    if verb == "create":
        files.groups.setdefault(name, [])
        return f"create group {name}"
    if verb == "delete":
        files.groups.pop(name, None)
        return f"delete group {name}"
    if name in files.groups:
        own = [one for one in files.groups[name] if one not in who]
        files.groups[name] = [*own, *who] if verb == "add" else own
    words = draw(st.sampled_from([f"{verb} member", f"{verb}member"]))
    return f"{words} {name} {','.join(who)}"


def main(draw: st.DrawFn, files: Files, server: str) -> str:
    key, state = (
        draw(st.sampled_from(["routing", "authorization"])),
        draw(st.sampled_from(["enabled", "disabled"])),
    )
    files.main[key] = state
    return f"set server {key}={state}"


def spoken(draw: st.DrawFn, line: str) -> str:
    """The line as another hand writes it: other case of the words of the command, other blanks,
    comments between.
    """
    first, _, rest = line.partition(" ")
    second, _, others = rest.partition(" ")
    case = draw(st.sampled_from([str.lower, str.upper, str.title]))
    then = second if first in ("addmember", "removemember") else case(second)
    gap = draw(st.sampled_from([" ", "  ", "\t"]))
    before = draw(st.sampled_from(["", "# a comment\n", "\n", "echo on\n", "show routes\n"]))
    return f"{before}{draw(st.sampled_from(['', '  ']))}{case(first)}{gap}{then} {others}"


def content(facts: Iterable[Fact]) -> Counter[str]:
    """What facts say, in an order of its own: properties, members and permissions by name,
    grants of one principal as one.
    """
    found: Counter[str] = Counter()
    grants: dict[tuple[str, ...], set[str]] = {}
    for fact in facts:
        row = encode(fact)
        payload = json.loads(without_places(row["payload"]))
        if row["kind"] == "grant":
            held = {
                one
                for each in payload["permissions"]
                for one in (PERMISSIONS[payload["type"]] if each == "all" else [each])
            }
            key = (
                row["server"],
                payload["type"],
                payload["name"],
                payload["principal_type"],
                payload["principal"],
            )
            grants.setdefault(key, set()).update(held)
            continue
        for key_ in ("properties", "selectors", "members", "places", "parameters"):
            if key_ in payload:
                payload[key_] = sorted(payload[key_], key=json.dumps)
        if row["kind"] == "server":
            payload.pop("parameters")
        found[
            json.dumps(
                [row["kind"], row["server"], row["bundle"], row["name"], payload], sort_keys=True
            )
        ] += 1
    found.update(json.dumps([*key, sorted(held)]) for key, held in grants.items())
    return found


def tables(network: Any) -> tuple[object, ...]:
    """The compiled tables without places and numbers."""
    names = [server.name for server in network.servers]
    guards = {
        n: (guard.kind, without_places(guard.payload)) for n, guard in enumerate(network.guards)
    }
    return (
        [(server.name, server.loaded) for server in network.servers],
        sorted(
            (names[link.a], names[link.b], link.zone, link.zone_type, link.configured_by)
            for link in network.links
        ),
        sorted(
            (
                point.key,
                point.kind,
                point.zone,
                point.zone_type,
                sorted(map(str, (guards[n] for n in point.guards))),
            )
            for point in network.points
        ),
    )


def asked(model: Model) -> list[object]:
    """Answers to questions, without places."""
    found: list[object] = []
    for name in ("topic:news", "topic:orders.eu", "queue:q1", "queue:q2"):
        found.append(_permitted(name.partition(":")[0], show(model, "access", name).rows))
        for server in SERVERS:
            for values in ({}, {"x": 1}, {"country": "Canada", "qty": 7}):
                try:
                    answer = propagate(model, server, Message.to(name, values))
                except (UsageError, NotApplicable) as why:
                    found.append(type(why).__name__)
                    continue
                found.append(
                    sorted(
                        (one.server, one.destination, str(one.outcome), one.copies, one.path)
                        for one in answer.deliveries
                    )
                )
                found.append(sorted((one.at, one.to, str(one.reason)) for one in answer.stopped))
    found.append(_plain(show(model, "destinations").rows))
    found.append(_plain(show(model, "routes").rows))
    return found


def _permitted(type_: str, rows: Iterable[Mapping[str, object]]) -> list[str]:
    """The rows of ``show access``, all permissions of one principal together."""
    found: dict[str, set[str]] = {}
    for row in rows:
        (key,) = _plain([{name: value for name, value in row.items() if name != "permissions"}])
        named = str(row["permissions"]).split(", ")
        held = {one for each in named for one in (PERMISSIONS[type_] if each == "all" else [each])}
        found.setdefault(key, set()).update(held)
    return sorted(f"{key} {sorted(held)}" for key, held in found.items())


def _plain(rows: Iterable[Mapping[str, object]]) -> list[str]:
    hidden = {"source", "line", "file"}
    return sorted(
        repr(sorted((key, str(value)) for key, value in row.items() if key not in hidden))
        for row in rows
    )


@st.composite
def estates(draw: st.DrawFn) -> dict[str, Files]:
    """Files that came about by commands: the same ones that change them."""
    found = {server: Files() for server in SERVERS}
    for server, files in found.items():
        for _ in range(draw(st.integers(0, 12))):
            a_command(draw, files, server)
    return found


def written(estate: Mapping[str, Files], root: Path) -> Network:
    for server, files in estate.items():
        files.write(server, root / server.lower())
    return topograph.read(root)


@MANY
@given(estates(), st.data())
def test_a_script_leaves_what_the_edited_files_say(
    before: dict[str, Files], data: st.DataObject
) -> None:
    after = copy.deepcopy(before)
    scripts: list[tuple[str, str, bool]] = []
    for _ in range(data.draw(st.integers(1, 8))):
        server = data.draw(st.sampled_from(SERVERS))
        was = copy.deepcopy(after[server])
        line = a_command(data.draw, after[server], server)
        scripts.append((server, spoken(data.draw, line), was != after[server]))
    with tempfile.TemporaryDirectory() as folder:
        network, edited = (
            written(before, Path(folder) / "before"),
            written(after, Path(folder) / "after"),
        )
    changing = ChangingPart(network._model.parts[0])
    for server, line, changes in scripts:
        (command,) = read_script(line.encode(), "change").commands
        facts = changing.facts("ems")
        edit = ems_changes.edit(facts, server, command)
        assert command.fault == "", line
        if edit.refused is None:
            changing.apply(edit.change)
        assert (edit.change != Change()) is changes, (line, edit)
    assert content(_all(changing.facts("ems"))) == content(
        _all(edited._model.parts[0].facts_of("ems"))
    )
    assert tables(changing.graph) == tables(edited._model.parts[0].graph)
    model = model_after(
        network._model, network._model.parts[0], changing.graph, changing.facts("ems")
    )
    assert asked(model) == asked(edited._model)


def _all(facts: FactSource) -> Iterable[Fact]:
    return facts.facts(("server", "route", "destination", "bridge", "durable", "grant", "group"))
