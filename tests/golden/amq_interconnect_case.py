"""Replays a recorded case of AMQ Interconnect: predicts every step from the configuration files and compares it with what was seen.

The network is read with ``topograph.read`` from the case's folder of configurations. ``scenario.json`` gives what no configuration says: the
containers behind the ports, and who attaches, sends and dies in which order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from golden.fields import Fields, leaves
from golden.router_rows import RUN_TIME, configured_rows, explained_log, known_type

from topograph.address_patterns import plain_address
from topograph.facts.amq_interconnect import Entity
from topograph.systems import assemble
from topograph.systems.amq_interconnect.messages.addresses import Distribution
from topograph.systems.amq_interconnect.messages.attachment import Attached, attach, known_link_routes
from topograph.systems.amq_interconnect.messages.configuration import message_network
from topograph.systems.amq_interconnect.messages.destinations import AddressState, Kind
from topograph.systems.amq_interconnect.messages.model import FALLBACK, Broker, MessageNetwork, Receiver
from topograph.systems.amq_interconnect.messages.outcomes import deliver_stored, send
from topograph.systems.amq_interconnect.messages.records import Path as Way
from topograph.systems.amq_interconnect.messages.records import Sending, Sent
from topograph.systems.amq_interconnect.messages.simulation import without_routed
from topograph.systems.amq_interconnect.routes.trees import compute_routes
from topograph.workspace import read_snapshot

ECHO = ("step", "op", "label", "sender", "note", "varies_between_runs")
"""Fields of a recorded step that repeat its input or speak to the reader."""


class Case:
    """One folder of recorded behaviour, replayed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scenario: dict[str, Any] = json.loads((folder / "scenario.json").read_text(encoding="utf-8"))
        self.observed: dict[str, Any] = json.loads((folder / "observed.json").read_text(encoding="utf-8"))
        self.fields = Fields()
        self.now = 0
        """The number of the step."""
        self.attached: list[Receiver] = []
        self.refused: dict[str, Receiver] = {}
        self.down: set[str] = set()
        self.stopped: set[str] = set()
        self.stored: dict[str, dict[str, int]] = {}
        self.ids: dict[tuple[str, str], list[str]] = {}
        """Per container and address there the ids of the messages that wait, in order."""
        self.sent_from: dict[str, set[str]] = {}
        """Per router the addresses of its senders."""
        self.totals: dict[str, list[str]] = {}
        """Per receiver the ids of what it got, where they are known."""
        self.links: Counter[tuple[str, str, str, str]] = Counter()
        """The links that routers opened to containers: (container, direction, address, router)."""
        self.unsure: set[str] = set()
        """Containers of which rotation decided whether a link was opened to them (L-3)."""
        self.routed: dict[str, tuple[set[str], set[str]]] = {}
        """Per link-routed receiver the containers it may be attached to, and the routers that its link needs (L-5)."""

    # --- the network ---

    @cached_property
    def base(self) -> MessageNetwork:
        snapshot = read_snapshot(self.folder / "configs")
        (name,) = snapshot.networks
        entities = [fact for fact in snapshot.facts(name) if isinstance(fact, Entity)]
        (tables,) = snapshot.graph_tables(name)
        self.entities = entities
        self.findings = list(snapshot.findings(name))
        network = message_network(assemble(tables), entities, snapshot.side_inputs(name))
        stated = self.observed.get("router_version") or self.scenario.get("router_version") or "1.19.0"
        version = stated.split()[-1]
        routers = {name: replace(router, version=version) for name, router in network.routers.items()}
        ports = {str(one["port"]): one for one in self.scenario.get("brokers", ())}
        brokers, connections = {}, []
        for connection in network.connections:
            port = connection.broker.rpartition(":")[2]
            if port in ports:
                given = ports[port]
                refuse = frozenset(given.get("refuse", ()))
                brokers[given["name"]] = Broker(given["name"], given["container"], True, refuse)
                connections.append(replace(connection, broker=given["name"]))
            else:  # nobody listens there
                brokers[connection.broker] = Broker(connection.broker, up=False)
                connections.append(connection)
        return replace(network, routers=routers, brokers=brokers, connections=tuple(connections), ordered=True)

    @property
    def network(self) -> MessageNetwork:
        """The network as it stands at this step."""
        brokers = {
            name: replace(one, up=one.up and name not in self.stopped, stored=self.stored.get(name, {}))
            for name, one in self.base.brokers.items()
        }
        network = replace(self.base, brokers=brokers, receivers=tuple(self.attached))
        return network.without_routers(self.down)

    # --- the replay ---

    def replay(self) -> Fields:
        self.note_links()
        recorded = {step["step"]: step for step in self.observed["steps"]}
        for step in self.scenario["steps"]:
            seen = recorded.get(step["step"], {})
            results = {name: value for name, value in seen.items() if name not in ECHO}
            if step["op"] not in COMPARED:
                self.fields.leave_out(f"the step {step['op']} is not known", leaves(results) if results else 1)
                continue
            missing = [name for name in REQUIRED.get(step["op"], ()) if name not in seen]
            if missing:
                self.fields.leave_out(f"{step['op']} has no result {', '.join(missing)}")
                continue
            self.now = step["step"]
            try:
                getattr(self, step["op"])(step, seen)
            except (LookupError, ValueError, TypeError, AttributeError) as error:
                # a form that no recorded case has shown: said, counted, and a failure once it is more than the odd field
                self.fields.leave_out(f"{self.where(step)} cannot be read: {error!r}", leaves(results))
                continue
            for name in sorted(seen.keys() - set(ECHO) - COMPARED[step["op"]]):
                self.fields.leave_out(f"{step['op']} has an unknown field {name}", leaves(seen[name]))
        return self.fields

    def where(self, step: Mapping[str, Any]) -> str:
        return f"step {step['step']} ({step['op']})"

    def routes(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        network = self.network
        neighbours: dict[str, set[str]] = {name: set() for name in network.routers}
        for a, b, _ in network.links:
            neighbours[a].add(b)
            neighbours[b].add(a)
        parallel = {pair for pair, number in Counter((a, b) for a, b, _ in network.links).items() if number > 1}
        if parallel:
            self._unstable(step, seen, parallel)
            return
        predicted: dict[str, Any] = {}
        for router in seen["routes"]:
            table = compute_routes(network.links, router)
            rows = {router: _row("(self)", None, sorted(neighbours[router]), (), neighbour=False)}
            for end, route in table.routes.items():
                hop = None if route.next_hop == end else route.next_hop
                rows[end] = _row(
                    hop, route.cost, sorted(neighbours[end]), route.valid_origins, neighbour=end in neighbours[router]
                )
            predicted[router] = rows
        for router, rows in seen["routes"].items():
            stale = [row for row in rows if row["id"] in self.down]
            if stale:
                self.fields.set_aside("rows of dead routers, left over from before (T-9)", leaves({1: stale}))
            living = {
                row["id"]: {**row, "linkState": sorted(row["linkState"])} for row in rows if row["id"] not in self.down
            }
            for row in living.values():
                del row["id"]
            self.fields.compare(f"{self.where(step)} {router}", living, predicted.get(router))

    def _unstable(self, step: Mapping[str, Any], seen: Mapping[str, Any], parallel: set[tuple[str, str]]) -> None:
        """Parallel links (T-11): that they are reported is what counts; costs and next hops change between runs."""
        pairs = sorted(" and ".join(pair) for pair in parallel)
        reported = sorted(
            {pair for pair in pairs for one in self.findings if one.rule == "T-11" and pair in one.message}
        )
        self.fields.compare(f"{self.where(step)} parallel links", pairs, reported)
        for router, rows in seen["routes"].items():
            ids = sorted(row["id"] for row in rows)
            self.fields.compare(f"{self.where(step)} {router} knows", ids, sorted(self.network.routers))
            self.fields.set_aside("route rows beside parallel links, unstable by nature (T-11)", len(rows) * 5)

    def attach(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        predicted: dict[str, Any] = {}
        for one in step["receivers"]:
            receiver = Receiver(one["id"], one["router"], one["address"], one.get("settle", "accept"))
            result = attach(self.network, receiver.router, "receiver", receiver.address)
            if result.refusal is not None:
                refusal = {"condition": result.refusal.condition, "description": result.refusal.description}
                predicted[receiver.id] = {"refused": refusal}
                self.refused[receiver.id] = receiver
                continue
            predicted[receiver.id] = "attached"
            self.attached.append(receiver)
            if result.targets:
                needed = set(result.path) | ({result.targets[0].router} if len(_homes(result)) == 1 else set())
                self.routed[receiver.id] = ({target.broker for target in result.targets}, needed)
                self.link(result, "broker->router")
        self.fields.compare(self.where(step), seen["receivers"], predicted)
        self.drain()

    def link(self, attached: Attached, direction: str) -> None:
        """Note the link that a link-routed attach opened."""
        if len({(target.broker, target.router) for target in attached.targets}) == 1:
            target = attached.targets[0]
            self.links[target.broker, direction, target.address, target.router] += 1
        else:
            self.unsure |= {target.broker for target in attached.targets}

    def drain(self) -> None:
        """What waits in containers goes to who receives now. Of several courses it is the one that the totals recorded next tell of."""
        courses = deliver_stored(self.network).courses
        later = [step for step in self.observed["steps"] if step["step"] > self.now]
        totals = next((step for step in later if step["op"] in ("received_total", "send")), {}).get(
            "received_total", {}
        )
        fitting = (course for course in courses if self._adds_up(course, totals))
        self.settle(next(fitting, courses[0]), [])

    def _adds_up(self, course: Sent, totals: Mapping[str, Any]) -> bool:
        return all(
            entry["count"] == len(self.totals.get(name, ())) + sum(course.received.get(name, {}).values())
            for name, entry in totals.items()
        )

    def detach(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        self.attached = [one for one in self.attached if one.id not in step["receivers"]]
        for name in step["receivers"]:
            self.refused[name] = Receiver(name, "", "")

    def kill(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        self.down |= set(step["routers"])
        self._lose()

    def stop_broker(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        self.stopped |= set(step["brokers"])
        self._lose()

    def _lose(self) -> None:
        """Routed links are detached when their container or a router on their way is gone, and nothing attaches them again (L-5)."""
        for receiver in list(self.attached):
            brokers, routers = self.routed.get(receiver.id, (set(), set()))
            if brokers and (brokers <= self.stopped or routers & self.down):
                self.attached.remove(receiver)
                self.refused[receiver.id] = receiver

    def send(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        network = self.network
        sending = Sending(
            step["router"],
            step["address"],
            step["count"],
            anonymous=step.get("anonymous", False),
            presettled=step.get("presettled", False),
        )
        result = send(network, sending)
        self.sent_from.setdefault(sending.router, set()).add(plain_address(sending.address))
        predicted: dict[str, Any] = {"credit": result.credit}
        if result.refusal is not None:
            refusal = {"condition": result.refusal.condition, "description": result.refusal.description}
            predicted["sender_error"] = refusal
        # the course that was taken is one of those predicted; if none fits, the first shows what was expected
        wanted = self._comparable(seen)
        courses = [(course, self._predicted(course, network, seen, sending)) for course in result.courses]
        course, found = next(((one, form) for one, form in courses if form == wanted), courses[0])
        ids = self.settle(course, [f"{step['label']}-{number:02}" for number in range(step["count"])])
        for receiver, entry in seen["received"].items():
            for name in sorted(entry.keys() - {"count", "paths", "ids"}):
                self.fields.leave_out(f"received has an unknown field {name}", leaves(entry[name]))
            if "ids" in entry:
                self._compare_ids(f"{self.where(step)} ids of {receiver}", entry["ids"], ids.get(receiver))
        everybody = {one.id for one in self.attached} | set(self.refused)
        found["zero"] = sorted(everybody - set(found["received"]))
        recorded = {**wanted, "zero": sorted(seen["zero"])} if "zero" in seen else dict(wanted)
        if "zero" not in seen:
            del found["zero"]
        recorded |= {name: seen[name] for name in ("credit", "sender_error") if name in seen}
        if "credit" not in seen:
            del predicted["credit"]
        self.fields.compare(self.where(step), recorded, {**found, **predicted})
        if result.link_routed:
            self.link(Attached(targets=result.targets), "router->broker")

    @staticmethod
    def _comparable(seen: Mapping[str, Any]) -> dict[str, Any]:
        received = {
            name: {key: value for key, value in entry.items() if key in ("count", "paths")}
            for name, entry in seen["received"].items()
        }
        return {
            "outcomes": seen["outcomes"],
            "received": received,
            **({"broker_deposits": seen["broker_deposits"]} if "broker_deposits" in seen else {}),
        }

    def _predicted(
        self, course: Sent, network: MessageNetwork, seen: Mapping[str, Any], sending: Sending
    ) -> dict[str, Any]:
        received = {}
        for receiver, paths in course.received.items():
            shown: Counter[str] = Counter()
            for way, number in paths.items():
                shown[self._shown(way, network)] += number
            entry: dict[str, Any] = {"count": sum(paths.values()), "paths": dict(shown)}
            if "paths" not in seen["received"].get(receiver, {"paths": 0}):
                del entry["paths"]
            received[receiver] = entry
        found: dict[str, Any] = {"outcomes": course.outcomes, "received": received}
        if "broker_deposits" in seen:
            found["broker_deposits"] = course.deposited
        return found

    @staticmethod
    def _shown(way: Way, network: MessageNetwork) -> str:
        """A path as the trace annotation shows it: edges are not in it, and one that ends on an edge is not recorded."""
        if network.routers[way[-1]].mode == "edge":
            return "?"
        return ">".join(router for router in way if network.routers[router].mode != "edge")

    def settle(self, course: Sent, sent_ids: Sequence[str]) -> dict[str, list[str]]:
        """Carry a course on into the next steps: what waits in containers, and who got which message, "" where that is not known: where
        receivers took turns, or where messages waited in more than one place."""
        self.stored = {}
        for broker, address, number in course.stored:
            self.stored.setdefault(broker, {})[address] = number
        sure = len(course.received) == 1 or all(
            {one.receiver for one in message.deliveries if one.receiver} in ({*course.received}, set())
            for message in course.messages
        )
        ids: dict[str, list[str]] = {receiver: [] for receiver in course.received}
        for number, message in enumerate(course.messages):
            own = sent_ids[number] if number < len(sent_ids) else ""
            for one in message.deliveries:
                if one.broker:
                    self.ids.setdefault((one.broker, one.address), []).append(own)
                elif not one.waited:
                    ids[one.receiver].append(own if sure else "")
                else:
                    waiting = [queue for queue in self.ids.values() if queue]
                    taken = waiting[0].pop(0) if waiting else ""
                    ids[one.receiver].append(taken if len(waiting) == 1 and len(course.received) == 1 else "")
        for receiver, got in ids.items():
            self.totals.setdefault(receiver, []).extend(got)
        return ids

    def _compare_ids(self, where: str, recorded: Sequence[str], predicted: Sequence[str] | None) -> None:
        if not predicted or not all(predicted):
            self.fields.leave_out("which of several receivers got which message")
        elif len(set(predicted)) < len(predicted):  # the order in which copies overtake each other is not known
            self.fields.compare(where, sorted(recorded), sorted(predicted))
        else:
            self.fields.compare(where, list(recorded), list(predicted))

    def received_total(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for receiver, entry in seen["received_total"].items():
            got = self.totals.get(receiver, [])
            self.fields.compare(f"{self.where(step)} {receiver} count", entry["count"], len(got))
            if got and "ids" in entry:
                self._compare_ids(f"{self.where(step)} {receiver} ids", entry["ids"], got)
            elif "ids" in entry:
                self.fields.compare(f"{self.where(step)} {receiver} ids", entry["ids"], got)

    def addresses(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        network = self.network
        for router, rows in seen["addresses"].items():
            recorded = {}
            for row in rows:
                counters = [name for name in row if name.startswith("deliveries")]
                self.fields.set_aside("counters of deliveries", len(counters))
                recorded[row["key"]] = {name: row[name] for name in row if name not in ("key", *counters)}
            predicted = self._rows(network, router, recorded)
            for key in [key for key in recorded if key not in predicted and _is_empty(recorded[key])]:
                reason = "rows without destinations, of links that came and went"
                self.fields.leave_out(reason, leaves(recorded.pop(key)))
            for address in self.sent_from.get(router, ()) if network.routers[router].mode == "edge" else ():
                for key in [key for key in recorded if key[2:] == address]:
                    self.fields.leave_out(
                        "rows of an edge that bound its uplink for a sender", leaves(recorded.pop(key))
                    )
                    predicted.pop(key, None)
            for key in [key for key, row in predicted.items() if key not in recorded and row.pop("kept", False)]:
                del predicted[key]
            for row in predicted.values():
                row.pop("kept", None)
            self.fields.compare(f"{self.where(step)} {router}", recorded, predicted)

    def _rows(self, network: MessageNetwork, router: str, recorded: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The rows of router.address that the attachments make. ``kept``: rows without destinations, which go some time after their last
        sender or receiver has gone."""
        rows: dict[str, dict[str, Any]] = {}
        for key, (containers, hosts) in known_link_routes(network, router).items():
            kind = "link-in" if key[0] in "CE" else "link-out"
            rows[key] = _address_row(kind, "linkBalanced", None, 0, containers, hosts)
        routed = without_routed(network)
        addresses = {*routed.by_address, *network.auto_links_by_address, *network.exchanges_by_address}
        for address in sorted(addresses):
            state = AddressState.of(routed, address)
            entry = state.entry(router)
            phases = {*state.phases(), *(phase for at, phase in state.configured if at == router)}
            for phase in sorted(phases | ({"0"} if FALLBACK in phases else set())):
                local, remote = state.local(router, phase), state.remote(router, phase)
                # an edge binds its uplink to an address when a sender comes, not before (E-9)
                local = tuple(one for one in local if one.kind is not Kind.UPLINK)
                primary = FALLBACK in phases and phase == "0" and bool(state.local(router, FALLBACK))
                if local or remote or primary or (router, phase) in state.configured:
                    distribution = self._treatment(state, router, phase, recorded.get(f"M{phase}{address}", {}))
                    priority = entry.priority if entry and phase != FALLBACK else None
                    row = _address_row("mobile", distribution.value, priority, len(local), 0, remote)
                    row["kept"] = not (local or remote)
                    rows[f"M{phase}{address}"] = row
        return rows

    @staticmethod
    def _treatment(state: AddressState, router: str, phase: str, row: Mapping[str, Any]) -> Distribution:
        """The treatment; where it depends on an order that nothing states, the recorded one if it is possible (A-10)."""
        possible = state.treatments(router, phase)
        return next((one for one in possible if one.value == row.get("distribution")), possible[0])

    def config(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for router, types in seen["config"].items():
            for type_, rows in types.items():
                predicted = configured_rows(self._entities(router), type_, self.network, router, self._open_ports())
                for row in rows:
                    name = row.get("name", "")
                    counters = [
                        one for one in row if one.endswith("Count") or "eliveries" in one or one == "linksBlocked"
                    ]
                    self.fields.set_aside("counters of the running router", len(counters))
                    recorded = {one: row[one] for one in row if one not in ("name", *counters)}
                    self._compare_row(
                        f"{self.where(step)} {router} {type_} {name}", type_, recorded, predicted.pop(name, None)
                    )
                for name, row in predicted.items():
                    if known_type(type_):
                        self.fields.compare(f"{self.where(step)} {router} {type_} {name}", "no such row", row)
                    else:
                        self.fields.leave_out(f"rows of {type_} that are not shown")

    def _compare_row(
        self, where: str, type_: str, recorded: dict[str, Any], predicted: Mapping[str, Any] | None
    ) -> None:
        """A row of a type that recorded cases have shown is compared whole; of others, the attributes that both have."""
        if predicted is None and not known_type(type_):
            self.fields.leave_out(f"rows of {type_} that no file configures", leaves(recorded))
            return
        for name in sorted(recorded.keys() - (predicted or {}).keys()):
            if name in RUN_TIME or not known_type(type_):
                self.fields.leave_out(f"{type_}.{name}, which only the running router has", leaves(recorded.pop(name)))
        shown = {name: value for name, value in (predicted or {}).items() if known_type(type_) or name in recorded}
        if shown.get("connectionStatus") == "CONNECTING" and recorded.get("connectionStatus") == "FAILED":
            shown["connectionStatus"] = "FAILED"  # the router waits between tries
        self.fields.compare(where, recorded, shown if predicted is not None else None)

    def _open_ports(self) -> set[str]:
        """The ports at which a living router or container listens."""
        assert self.base
        ports = {str(one["port"]) for one in self.scenario.get("brokers", ()) if one["name"] not in self.stopped}
        living = (one for one in self.entities if one.type == "listener" and one.server not in self.down)
        return ports | {one.get("port") for one in living}

    def _entities(self, router: str) -> list[Entity]:
        assert self.base
        return [entity for entity in self.entities if entity.server == router]

    def probe(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        router = self.network.routers[step["router"]]
        predicted = {}
        for address in step["addresses"]:
            entry = router.table.entry(address)
            predicted[address] = {
                "distribution": (entry.distribution if entry else router.default).value,
                "priority": entry.priority if entry and entry.priority is not None else -1,
                "phase": entry.egress_phase if entry else 0,
                "key": f"M{entry.egress_phase if entry else 0}{plain_address(address)}",
            }
        for address, row in seen["probe"].items():
            here = f"{self.where(step)} {address}"
            if not isinstance(row, Mapping) or "key" not in row:
                self.fields.leave_out("probes that gave no row", leaves(row))
                continue
            for name in sorted(row.keys() - predicted[address].keys()):
                self.fields.leave_out(f"probe has an unknown field {name}", leaves(row[name]))
            self.fields.compare(
                here, {name: row[name] for name in predicted[address] if name in row}, predicted[address]
            )

    def log_grep(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for router, lines in seen["log"].items():
            config = self.folder / self.scenario["routers"][router]["config"]
            starts, unexplained, unsaid, unknown = explained_log(config, lines)
            if router in seen.get("started", {}):
                self.fields.compare(f"{self.where(step)} {router} started", seen["started"][router], starts)
            if unknown:
                self.fields.leave_out("log lines of a kind that no finding stands for", unknown)
            self.fields.compare(f"{self.where(step)} {router} lines without a finding", [], unexplained)
            self.fields.compare(f"{self.where(step)} {router} findings without a line", [], unsaid)

    def note_links(self) -> None:
        """The links of autolinks to containers: each attaches once on every connection that it names, also where it is then refused (W-7)."""
        network = self.network
        for router in network.routers.values():
            for one in router.auto_links:
                direction = "router->broker" if one.direction == "out" else "broker->router"
                for connection in network.open_connections(router.name, one.connection, one.container):
                    self.links[connection.broker, direction, one.at_container, router.name] += 1

    def broker_log(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for broker, attaches in seen["attaches"].items():
            recorded = sorted((one["link"], one["address"], one["peer_container"]) for one in attaches)
            predicted = sorted(
                (direction, address, router)
                for (name, direction, address, router), number in self.links.items()
                if name == broker
                for _ in range(number)
            )
            if broker in self.unsure:
                self.fields.leave_out("links that rotation opened to one of several containers", len(recorded))
            else:
                self.fields.compare(f"{self.where(step)} {broker}", recorded, predicted)


COMPARED: Mapping[str, frozenset[str]] = {
    "routes": frozenset({"routes"}),
    "attach": frozenset({"receivers"}),
    "detach": frozenset(),
    "send": frozenset({"credit", "sender_error", "outcomes", "received", "zero", "broker_deposits"}),
    "addresses": frozenset({"addresses"}),
    "config": frozenset({"config"}),
    "probe": frozenset({"probe"}),
    "log_grep": frozenset({"log", "started"}),
    "broker_log": frozenset({"attaches"}),
    "kill": frozenset(),
    "stop_broker": frozenset(),
    "received_total": frozenset({"received_total"}),
}
"""The fields that each kind of step compares; any other field of a recorded step counts as left out."""

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "routes": ("routes",),
    "attach": ("receivers",),
    "send": ("outcomes", "received"),
    "addresses": ("addresses",),
    "config": ("config",),
    "probe": ("probe",),
    "log_grep": ("log",),
    "broker_log": ("attaches",),
    "received_total": ("received_total",),
}
"""The results without which a step has nothing to compare."""


def _homes(attached: Attached) -> set[str]:
    """The routers at whose connections a link-routed attach may end."""
    return {target.router for target in attached.targets}


def _is_empty(row: Mapping[str, Any]) -> bool:
    """Whether a row of an address table has no destinations."""
    return not (row.get("local") or row.get("remote") or row.get("containers"))


def _row(hop: Any, cost: Any, link_state: list[str], origins: Sequence[str], *, neighbour: bool) -> dict[str, Any]:
    return {
        "nextHop": hop,
        "cost": cost,
        "linkState": link_state,
        "validOrigins": list(origins),
        "neighbor": neighbour,
    }


def _address_row(
    kind: str, distribution: str, priority: int | None, local: int, containers: int, hosts: Sequence[str]
) -> dict[str, Any]:
    return {
        "class": kind,
        "distribution": distribution,
        "priority": -1 if priority is None else priority,
        "local": local,
        "remote": len(hosts),
        "containers": containers,
        "remoteHostRouters": list(hosts),
    }
