"""The tables of routers in a recorded case: routes, addresses, and which entry applies to which
address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golden.fields import Fields, leaves
from golden.router_network import Running

from topograph.facts.amqp_addresses import plain_address
from topograph.systems.amq_interconnect.messages.addresses import Distribution
from topograph.systems.amq_interconnect.messages.attachment import known_link_routes
from topograph.systems.amq_interconnect.messages.destinations import AddressState, DestinationKind
from topograph.systems.amq_interconnect.messages.model import FALLBACK, MessageNetwork
from topograph.systems.amq_interconnect.messages.simulation import without_routed
from topograph.systems.amq_interconnect.routes.trees import compute_routes

SHARED_ID = "what routers with one id make the others see (T-10)"


def reported(running: Running, rule: str, *texts: str) -> bool:
    """Whether topograph has a finding of a rule that holds these texts."""
    return any(
        one.rule == rule and all(text in one.message for text in texts) for one in running.findings
    )


@dataclass
class Tables:
    """Compares what steps recorded of tables. ``sent_from`` holds per router the addresses of
    its senders.
    """

    running: Running
    fields: Fields
    sent_from: Mapping[str, set[str]]

    def routes(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        network = self.running.now
        parallel = {
            pair
            for pair, number in Counter((a, b) for a, b, _ in network.links).items()
            if number > 1
        }
        if parallel:
            self._unstable(where, seen, parallel)
            return
        for key, rows in seen["routes"].items():
            router = self.running.name(key)
            if self._shared(where, router, len(rows) * 5):
                continue
            predicted = self._routes(network, router)
            recorded = {row["id"]: {**row, "linkState": sorted(row["linkState"])} for row in rows}
            for id_ in sorted(self.running.out_of_reach(router) & recorded.keys()):
                stale = leaves(recorded.pop(id_))
                self.fields.set_aside(
                    "rows of routers out of reach, left over from before (T-9)", stale
                )
            for row in recorded.values():
                del row["id"]
            self.fields.compare(f"{where} {key}", recorded, predicted)

    def _routes(self, network: MessageNetwork, router: str) -> dict[str, dict[str, Any]]:
        id_ = self.running.id
        neighbours: dict[str, set[str]] = {name: set() for name in network.routers}
        for a, b, _ in network.links:
            neighbours[a].add(id_(b))
            neighbours[b].add(id_(a))
        rows = {id_(router): _row("(self)", None, sorted(neighbours[router]), (), neighbour=False)}
        for end, route in compute_routes(network.links, router).routes.items():
            hop = None if route.next_hop == end else id_(route.next_hop)
            origins = [id_(origin) for origin in route.valid_origins]
            beside = id_(end) in neighbours[router]
            rows[id_(end)] = _row(
                hop, route.cost, sorted(neighbours[end]), origins, neighbour=beside
            )
        return rows

    def _shared(self, where: str, router: str, number: int) -> bool:
        """Whether routers with one id make what a router sees change all the time: that they are
        reported is what counts (T-10).
        """
        sharing = self.running.sharing(router)
        if not sharing:
            return False
        for name in sharing:
            said = reported(self.running, "T-10", f"router id {self.running.id(name)} ")
            self.fields.compare(f"{where} {name} is reported", True, said)
        self.fields.set_aside(SHARED_ID, number)
        return True

    def _unstable(
        self, where: str, seen: Mapping[str, Any], parallel: set[tuple[str, str]]
    ) -> None:
        """Parallel links (T-11): that they are reported is what counts; costs and next hops
        change between runs.
        """
        for a, b in sorted(parallel):
            said = reported(self.running, "T-11", f"{a} and {b}")
            self.fields.compare(f"{where} parallel links of {a} and {b} are reported", True, said)
        network = self.running.now
        for key, rows in seen["routes"].items():
            ids = sorted(row["id"] for row in rows)
            router = self.running.name(key)
            known = sorted(
                self.running.id(name)
                for name in network.routers
                if network.routes.reaches(router, name) or name == router
            )
            self.fields.compare(f"{where} {key} knows", ids, known)
            self.fields.set_aside(
                "route rows beside parallel links, unstable by nature (T-11)", len(rows) * 5
            )

    def addresses(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        network = self.running.now
        only = tuple(step.get("only", ("",)))
        for key, rows in seen["addresses"].items():
            router = self.running.name(key)
            if self._shared(where, router, len(rows) * 7):
                continue
            recorded = {}
            for row in rows:
                counters = [name for name in row if name.startswith("deliveries")]
                self.fields.set_aside("counters of deliveries", len(counters))
                recorded[row["key"]] = {
                    name: row[name] for name in row if name not in ("key", *counters)
                }
            predicted = {
                name: row
                for name, row in self._rows(network, router, recorded).items()
                if name.startswith(only)
            }
            for name in [
                name for name in recorded if name not in predicted and _is_empty(recorded[name])
            ]:
                reason = "rows without destinations, of links that came and went"
                self.fields.leave_out(reason, leaves(recorded.pop(name)))
            for address in (
                self.sent_from.get(router, ()) if network.routers[router].mode == "edge" else ()
            ):
                for name in [name for name in recorded if name[2:] == address]:
                    reason = "rows of an edge that bound its uplink for a sender"
                    self.fields.leave_out(reason, leaves(recorded.pop(name)))
                    predicted.pop(name, None)
            for name in [
                name for name, row in predicted.items() if name not in recorded and row["kept"]
            ]:
                del predicted[name]
            for row in predicted.values():
                del row["kept"]
            self.fields.compare(f"{where} {key}", recorded, predicted)

    def _rows(
        self, network: MessageNetwork, router: str, recorded: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, dict[str, Any]]:
        """The rows of router.address that the attachments make. ``kept``: rows without
        destinations, which go some time after their last sender or receiver has gone."""
        rows: dict[str, dict[str, Any]] = {}
        for key, (containers, hosts) in self._link_routes(network, router).items():
            kind = "link-in" if key[0] in "CE" else "link-out"
            rows[key] = self._address_row(kind, "linkBalanced", None, 0, containers, hosts)
        for address, phases in sorted(self._known(network, router).items()):
            state = AddressState.of(without_routed(network, address), address)
            entry = state.entry(router)
            for phase in sorted(phases | ({"0"} if FALLBACK in phases else set())):
                # an edge binds its uplink to an address when a sender comes, not before (E-9)
                local = [
                    one
                    for one in state.local(router, phase)
                    if one.kind is not DestinationKind.UPLINK
                ]
                remote = {
                    *state.remote(router, phase),
                    *self.running.stale_hosts(router, address, phase),
                }
                primary = (
                    FALLBACK in phases and phase == "0" and bool(state.local(router, FALLBACK))
                )
                if not (local or remote or primary or (router, phase) in state.configured):
                    continue
                distribution = self._treatment(
                    state, router, phase, recorded.get(f"M{phase}{address}", {})
                )
                priority = entry.priority if entry and phase != FALLBACK else None
                links = sum(one.kind is not DestinationKind.EXCHANGE for one in local)
                row = self._address_row(
                    "mobile", distribution.value, priority, links, 0, sorted(remote)
                )
                row["kept"] = not (local or remote)
                rows[f"M{phase}{address}"] = row
        return rows

    def _known(self, network: MessageNetwork, router: str) -> dict[str, set[str]]:
        """The addresses that a router may have rows of, with their phases: of now, and of before
        deaths that are still remembered (T-9).
        """
        found: dict[str, set[str]] = {}
        for one in (network, *self.running.remembered(router)):
            routed = without_routed(one)
            for address in {
                *routed.by_address,
                *one.auto_links_by_address,
                *one.exchanges_by_address,
            }:
                state = AddressState.of(routed, address)
                configured = {phase for at, phase in state.configured if at == router}
                found.setdefault(address, set()).update(state.phases(), configured)
        return found

    def _link_routes(
        self, network: MessageNetwork, router: str
    ) -> dict[str, tuple[int, Sequence[str]]]:
        """The link routes in a router's table, those of routers out of reach included as long as
        they are remembered (T-9).
        """
        found: dict[str, tuple[int, Sequence[str]]] = dict(known_link_routes(network, router))
        for before in self.running.remembered(router):
            for key, (_, hosts) in known_link_routes(before, router).items():
                lost = {host for host in hosts if not network.routes.reaches(router, host)}
                if lost:
                    containers, living = found.get(key, (0, ()))
                    found[key] = (containers, sorted({*living, *lost}))
        return found

    def _treatment(
        self, state: AddressState, router: str, phase: str, row: Mapping[str, Any]
    ) -> Distribution:
        """The treatment; where it depends on an order that nothing states, the recorded one if
        it is possible (A-10). An address that only routers out of reach have keeps the treatment
        it had."""
        if not (state.local(router, phase) or state.remote(router, phase)):
            for before in self.running.remembered(router):
                former = AddressState.of(without_routed(before, state.address), state.address)
                if former.remote(router, phase):
                    state = former
        possible = state.treatments(router, phase)
        return next((one for one in possible if one.value == row.get("distribution")), possible[0])

    def _address_row(
        self,
        kind: str,
        distribution: str,
        priority: int | None,
        local: int,
        containers: int,
        hosts: Sequence[str],
    ) -> dict[str, Any]:
        return {
            "class": kind,
            "distribution": distribution,
            "priority": -1 if priority is None else priority,
            "local": local,
            "remote": len(hosts),
            "containers": containers,
            "remoteHostRouters": [self.running.id(host) for host in hosts],
            "kept": False,
        }

    def probe(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        router = self.running.now.routers[self.running.name(step["router"])]
        for address in step["addresses"]:
            row = seen["probe"].get(address)
            if not isinstance(row, Mapping) or "key" not in row:
                self.fields.leave_out("probes that gave no row", leaves(row))
                continue
            entry = router.table.entry(address)
            phase = entry.egress_phase if entry else 0
            predicted = {
                "distribution": (entry.distribution if entry else router.default).value,
                "priority": entry.priority if entry and entry.priority is not None else -1,
                "phase": phase,
                "key": f"M{phase}{plain_address(address)}",
            }
            for name in sorted(row.keys() - predicted.keys()):
                self.fields.leave_out(f"probe has an unknown field {name}", leaves(row[name]))
            recorded = {name: row[name] for name in predicted if name in row}
            self.fields.compare(f"{where} {address}", recorded, predicted)
        for address in seen["probe"].keys() - set(step["addresses"]):
            self.fields.leave_out("probes that no input asks for", leaves(seen["probe"][address]))


def _is_empty(row: Mapping[str, Any]) -> bool:
    """Whether a row of an address table has no destinations."""
    return not (row.get("local") or row.get("remote") or row.get("containers"))


def _row(
    hop: Any, cost: Any, link_state: list[str], origins: Sequence[str], *, neighbour: bool
) -> dict[str, Any]:
    return {
        "nextHop": hop,
        "cost": cost,
        "linkState": link_state,
        "validOrigins": list(origins),
        "neighbor": neighbour,
    }
