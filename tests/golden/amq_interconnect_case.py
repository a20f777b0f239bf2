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
from golden.router_rows import configured_rows, explained_log

from topograph.address_patterns import plain_address
from topograph.facts import Entity
from topograph.network import read_snapshot
from topograph.systems import assemble
from topograph.systems.amq_interconnect.attaching import attach, known_link_routes
from topograph.systems.amq_interconnect.course import without_routed
from topograph.systems.amq_interconnect.destinations import AddressState, Kind
from topograph.systems.amq_interconnect.estate import message_network
from topograph.systems.amq_interconnect.messaging import FALLBACK, Broker, MessageNetwork, Receiver
from topograph.systems.amq_interconnect.routes import compute_routes
from topograph.systems.amq_interconnect.sending import deliver_stored, send
from topograph.systems.amq_interconnect.sent import Path as Way
from topograph.systems.amq_interconnect.sent import Sending, Sent

ECHO = ("step", "op", "label", "sender", "note", "varies_between_runs")
"""Fields of a recorded step that repeat its input or speak to the reader."""


class Case:
    """One folder of recorded behaviour, replayed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scenario: dict[str, Any] = json.loads((folder / "scenario.json").read_text(encoding="utf-8"))
        self.observed: dict[str, Any] = json.loads((folder / "observed.json").read_text(encoding="utf-8"))
        self.fields = Fields()
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

    # --- the network ---

    @cached_property
    def base(self) -> MessageNetwork:
        snapshot = read_snapshot(self.folder / "configs")
        (name,) = snapshot.networks
        entities = [fact for fact in snapshot.facts(name) if isinstance(fact, Entity)]
        (tables,) = snapshot.graph_tables(name)
        self.findings = list(snapshot.findings(name))
        network = message_network(assemble(tables), entities, snapshot.side_inputs(name))
        routers = {name: replace(router, version="1.19.0") for name, router in network.routers.items()}
        ports = {str(one["port"]): one for one in self.scenario["brokers"]}
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
            getattr(self, step["op"])(step, recorded[step["step"]])
            unknown = recorded[step["step"]].keys() - set(ECHO) - COMPARED[step["op"]]
            for name in sorted(unknown):
                self.fields.leave_out(f"{step['op']} has an unknown field {name}")
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
            for target in result.targets[:1] if len({t.broker for t in result.targets}) == 1 else ():
                self.links[target.broker, "broker->router", target.address, target.router] += 1
        self.fields.compare(self.where(step), seen["receivers"], predicted)
        self.drain()

    def drain(self) -> None:
        """What waits in containers goes to who receives now."""
        courses = deliver_stored(self.network).courses
        if len(courses) == 1:
            self.settle(courses[0], [])

    def detach(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        self.attached = [one for one in self.attached if one.id not in step["receivers"]]
        for name in step["receivers"]:
            self.refused[name] = Receiver(name, "", "")

    def kill(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        routed = self._link_routed()
        self.down |= set(step["routers"])
        self._lose(routed)

    def stop_broker(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        routed = self._link_routed()
        self.stopped |= set(step["brokers"])
        self._lose(routed)

    def _link_routed(self) -> set[str]:
        network = self.network
        return {one.id for one in network.receivers if attach(network, one.router, "receiver", one.address).targets}

    def _lose(self, routed: set[str]) -> None:
        """Routed links are detached when their container is gone, and nothing attaches them again (L-5)."""
        still = self._link_routed()
        for receiver in [one for one in self.attached if one.id in routed - still]:
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
            if "ids" in entry:
                predicted_ids = ids.get(receiver)
                if predicted_ids is None:
                    self.fields.leave_out("which of several receivers got which message")
                else:
                    self.fields.compare(f"{self.where(step)} ids of {receiver}", entry["ids"], predicted_ids)
        everybody = {one.id for one in self.attached} | set(self.refused)
        found["zero"] = sorted(everybody - set(found["received"]))
        recorded = {**wanted, "zero": sorted(seen["zero"]), "credit": seen["credit"]}
        if "sender_error" in seen:
            recorded["sender_error"] = seen["sender_error"]
        self.fields.compare(self.where(step), recorded, {**found, **predicted})
        if result.link_routed and len({target.broker for target in result.targets}) == 1:
            target = result.targets[0]
            self.links[target.broker, "router->broker", target.address, target.router] += 1

    @staticmethod
    def _comparable(seen: Mapping[str, Any]) -> dict[str, Any]:
        received = {
            name: {key: value for key, value in entry.items() if key != "ids"}
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

    def settle(self, course: Sent, sent_ids: Sequence[str]) -> dict[str, list[str] | None]:
        """Carry a course on into the next steps: what waits in containers, and who got which message. The ids are known where one receiver
        gets everything that leaves a container or was sent."""
        self.stored = {}
        for broker, address, number in course.stored:
            self.stored.setdefault(broker, {})[address] = number
        receivers = set(course.received)
        ids: dict[str, list[str] | None] = {}
        deposits = [(broker, address) for broker, there in course.deposited.items() for address in there]
        waiting = [key for key, waits in self.ids.items() if waits]
        if deposits:
            (key,) = deposits
            self.ids.setdefault(key, []).extend(sent_ids)
            waiting = [key]
        if len(receivers) == 1:
            (receiver,) = receivers
            number = sum(sum(paths.values()) for paths in course.received.values())
            queue = self.ids[waiting[0]] if len(waiting) == 1 else list(sent_ids)
            ids[receiver] = queue[:number]
            if len(waiting) == 1:
                self.ids[waiting[0]] = queue[number:]
            self.totals.setdefault(receiver, []).extend(ids[receiver] or [])
        else:
            for receiver in receivers:
                ids[receiver] = None
                self.totals.setdefault(receiver, []).extend([""] * sum(course.received[receiver].values()))
        return ids

    def received_total(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for receiver, entry in seen["received_total"].items():
            got = self.totals.get(receiver, [])
            self.fields.compare(f"{self.where(step)} {receiver} count", entry["count"], len(got))
            if all(got):
                self.fields.compare(f"{self.where(step)} {receiver} ids", entry["ids"], got)
            else:
                self.fields.leave_out("which of several receivers got which message")

    def addresses(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        network = self.network
        for router, rows in seen["addresses"].items():
            recorded = {}
            for row in rows:
                counters = [name for name in row if name.startswith("deliveries")]
                self.fields.set_aside("counters of deliveries", len(counters))
                recorded[row["key"]] = {name: row[name] for name in row if name not in ("key", *counters)}
            predicted = self._rows(network, router)
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

    def _rows(self, network: MessageNetwork, router: str) -> dict[str, dict[str, Any]]:
        """The rows of router.address that the attachments make. ``kept``: rows without destinations, which go some time after their last
        sender or receiver has gone."""
        rows: dict[str, dict[str, Any]] = {}
        for key, (containers, hosts) in known_link_routes(network, router).items():
            kind = "link-in" if key[0] in "CE" else "link-out"
            rows[key] = _address_row(kind, "linkBalanced", None, 0, containers, hosts)
        routed = without_routed(network)
        addresses = {plain_address(one.address) for one in routed.receivers} | set(network.auto_links_by_address)
        for address in sorted(addresses):
            state = AddressState.of(routed, address)
            entry = state.entry(router)
            phases = set(state.phases())
            for phase in sorted(phases | ({"0"} if FALLBACK in phases else set())):
                local, remote = state.local(router, phase), state.remote(router, phase)
                # an edge binds its uplink to an address when a sender comes, not before (E-9)
                local = tuple(one for one in local if one.kind is not Kind.UPLINK)
                primary = FALLBACK in phases and phase == "0" and bool(state.local(router, FALLBACK))
                if local or remote or primary:
                    (distribution,) = state.treatments(router, phase)
                    priority = entry.priority if entry and phase != FALLBACK else None
                    row = _address_row("mobile", distribution.value, priority, len(local), 0, remote)
                    row["kept"] = not (local or remote)
                    rows[f"M{phase}{address}"] = row
        return rows

    def config(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for router, types in seen["config"].items():
            for type_, rows in types.items():
                predicted = configured_rows(self._entities(router), type_, self.network, router)
                recorded = {}
                for row in rows:
                    counters = [
                        name for name in row if name.endswith("Count") or "eliveries" in name or name == "linksBlocked"
                    ]
                    self.fields.set_aside("counters of the running router", len(counters))
                    recorded[row["name"]] = {name: row[name] for name in row if name not in ("name", *counters)}
                self.fields.compare(f"{self.where(step)} {router} {type_}", recorded, predicted)

    def _entities(self, router: str) -> list[Entity]:
        snapshot = read_snapshot(self.folder / "configs")
        (name,) = snapshot.networks
        return [fact for fact in snapshot.facts(name) if isinstance(fact, Entity) and fact.server == router]

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
        self.fields.compare(self.where(step), seen["probe"], predicted)

    def log_grep(self, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for router, lines in seen["log"].items():
            config = self.folder / self.scenario["routers"][router]["config"]
            starts, unexplained, unsaid = explained_log(config, lines)
            self.fields.compare(f"{self.where(step)} {router} started", seen["started"][router], starts)
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
