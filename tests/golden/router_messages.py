"""Clients of a recorded case: who attaches, what is sent, who gets it, and which links routers open
to containers for it.

Where topograph leaves several courses open, the one that was taken has to be among them. Where it
says that its courses are not all that can happen (``SendResult.complete``), or a step rests on
something that no step has waited for, the fields that depend on it are left out by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from golden.fields import Fields, leaves
from golden.router_network import Running
from golden.router_tables import SHARED_ID

from topograph.facts.amqp_addresses import plain_address
from topograph.systems.amq_interconnect.messages.attachment import AttachResult, attach
from topograph.systems.amq_interconnect.messages.destinations import AddressState
from topograph.systems.amq_interconnect.messages.model import FALLBACK, MessageNetwork, Receiver
from topograph.systems.amq_interconnect.messages.outcomes import SendResult, deliver_stored, send
from topograph.systems.amq_interconnect.messages.records import (
    RouterDelivery,
    RouterSending,
    SentCourse,
)
from topograph.systems.amq_interconnect.messages.simulation import without_routed

CREDIT = 300
"""Messages that a receiver takes without settling any."""
WINDOW = 250
"""Messages that a sender may have unsettled at its router (linkCapacity)."""
WORDS = frozenset({"accepted", "released", "rejected", "not_sent", "presettled"})
"""The outcomes that the README names."""
OUT_OF_REACH = "what routers do with routers out of reach that they still remember (T-9)"


class Clients:
    """The clients of a case, and what they did so far."""

    def __init__(
        self, running: Running, fields: Fields, steps: Sequence[Mapping[str, Any]]
    ) -> None:
        self.running = running
        self.fields = fields
        self.recorded = steps
        self.ids: dict[tuple[str, str], list[str]] = {}
        """Per container and address there the ids of the messages that wait, in order."""
        self.sent_from: dict[str, set[str]] = {}
        """Per router the addresses of its senders."""
        self.totals: dict[str, list[str]] = {}
        """Per receiver the ids of what it got, "" where they are not known."""
        self.links: Counter[tuple[str, str, str, str]] = Counter()
        """The links that routers opened to containers: (container, direction, address, router
        id).
        """
        self.unsure: set[str] = set()
        """Containers of which rotation decided whether a link was opened to them (L-3)."""
        self.routed: dict[str, tuple[set[str], set[str]]] = {}
        """Per link-routed receiver the containers it may be attached to, and the routers that
        its link needs (L-5).
        """
        for router in self.running.now.routers:
            self.open_auto_links(router)

    def attach(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        predicted: dict[str, Any] = {}
        recorded = dict(seen["receivers"])
        for one in step["receivers"]:
            name = self.running.name(one["router"])
            receiver = Receiver(one["id"], name, one["address"], one.get("settle", "accept"))
            result = self._attach(receiver)
            if result is None:
                self.fields.leave_out(OUT_OF_REACH, leaves(recorded.pop(receiver.id, 1)))
            elif result.refusal is not None:
                refusal = {
                    "condition": result.refusal.condition,
                    "description": result.refusal.description,
                }
                predicted[receiver.id] = {"refused": refusal}
            else:
                predicted[receiver.id] = "attached"
        self.fields.compare(where, recorded, predicted)
        self._drain(step["step"])

    def _attach(self, receiver: Receiver) -> AttachResult | None:
        """Attach a receiver; None, and no receiver, where a router out of reach may decide about
        it.
        """
        result = attach(self.running.now, receiver.router, "receiver", receiver.address)
        for before in self.running.remembered(receiver.router):
            former = attach(before, receiver.router, "receiver", receiver.address)
            if (former.link_routed, former.refusal is None) != (
                result.link_routed,
                result.refusal is None,
            ):
                self.running.gone[receiver.id] = receiver
                return None
        if result.refusal is not None:
            self.running.gone[receiver.id] = receiver
            return result
        self.running.gone.pop(receiver.id, None)
        self.running.attached.append(receiver)
        if result.targets:
            homes = {target.router for target in result.targets}
            self.routed[receiver.id] = (
                {target.broker for target in result.targets},
                {*result.path, *(homes if len(homes) == 1 else ())},
            )
            self._link(result, "broker->router")
        return result

    def detach(self, step: Mapping[str, Any]) -> None:
        for one in [one for one in self.running.attached if one.id in step["receivers"]]:
            self.running.attached.remove(one)
            self.running.gone[one.id] = one

    def start(self, key: str, *, reattach: bool, step: int) -> None:
        """A router starts: its autolinks attach, and the clients that it had if the step says
        so.
        """
        before = self.running.start(key)
        self.open_auto_links(self.running.name(key))
        for receiver in before if reattach else ():
            self._attach(receiver)
        self._drain(step)

    def lose(self) -> None:
        """Routed links are detached when their container or a router on their way is gone, and
        nothing attaches them again (L-5).
        """
        for receiver in list(self.running.attached):
            brokers, routers = self.routed.get(receiver.id, (set(), set()))
            if brokers and (brokers <= self.running.stopped or routers & self.running.down):
                self.running.attached.remove(receiver)
                self.running.gone[receiver.id] = receiver

    def open_auto_links(self, name: str) -> None:
        """The links of a router's autolinks: each attaches once on every connection that it
        names, also where it is then refused (W-7).
        """
        network = self.running.now
        for one in network.routers[name].auto_links if name in network.routers else ():
            direction = "router->broker" if one.direction == "out" else "broker->router"
            for connection in network.open_connections(name, one.connection, one.container):
                self.links[
                    connection.broker, direction, one.at_container, self.running.id(name)
                ] += 1

    def _link(self, attached: AttachResult, direction: str) -> None:
        """Note the link that a link-routed attach opened."""
        if len({(target.broker, target.router) for target in attached.targets}) == 1:
            target = attached.targets[0]
            self.links[
                target.broker, direction, target.address, self.running.id(target.router)
            ] += 1
        else:
            self.unsure |= {target.broker for target in attached.targets}

    def broker_log(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for broker, attaches in seen["attaches"].items():
            recorded = sorted(
                (one["link"], one["address"], one["peer_container"]) for one in attaches
            )
            predicted = sorted(
                (direction, address, router)
                for (name, direction, address, router), number in self.links.items()
                if name == broker
                for _ in range(number)
            )
            if broker in self.unsure:
                self.fields.leave_out(
                    "links that rotation opened to one of several containers", len(recorded)
                )
            else:
                self.fields.compare(f"{where} {broker}", recorded, predicted)

    def _drain(self, step: int) -> None:
        """What waits in containers goes to who receives now. Of several courses it is the one
        that the totals recorded next tell of.
        """
        result = deliver_stored(self.running.now)
        later = [one for one in self.recorded if one["step"] > step]
        totals = next((one for one in later if one["op"] in ("received_total", "send")), {}).get(
            "received_total", {}
        )
        fitting = (course for course in result.courses if self._adds_up(course, totals))
        self._carry_on(next(fitting, result.courses[0]), [], only=_is_only(result))

    def _adds_up(self, course: SentCourse, totals: Mapping[str, Any]) -> bool:
        return all(
            entry["count"]
            == len(self.totals.get(name, ())) + sum(course.received.get(name, {}).values())
            for name, entry in totals.items()
        )

    def send(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        network = self.running.now
        sending = self._sending(step)
        result = send(network, sending)
        self.sent_from.setdefault(sending.router, set()).add(plain_address(sending.address))
        predicted, recorded = self._attachment(result, seen)
        wanted = self._recorded(seen, result)
        courses = [(course, self._predicted(course, network, seen)) for course in result.courses]
        stale = self._stale(network, sending, result)
        if stale == "released" and not result.credit:
            outcome = "presettled" if sending.presettled else "released"
            courses = [(SentCourse(()), {**courses[0][1], "outcomes": {outcome: sending.count}})]
            predicted["credit"] = True
        # the course that was taken is one of those predicted; if none fits, the first shows what
        # was expected
        fitting = next((one for one in courses if _agree(one[1], wanted)), None)
        if fitting is None:
            doubt = OUT_OF_REACH if stale == "unsure" else self._doubt(network, sending, result)
            if doubt:
                self._leave_open(
                    doubt, where, seen, wanted, recorded, predicted, [form for _, form in courses]
                )
                return
        course, found = fitting or courses[0]
        ids = self._carry_on(
            course,
            [f"{step.get('label', step['op'])}-{number:02}" for number in range(sending.count)],
            only=_is_only(result),
        )
        self._compare_received_ids(where, seen, ids)
        everybody = {one.id for one in self.running.attached} | self.running.gone.keys()
        if "zero" in seen:
            recorded["zero"] = sorted(seen["zero"])
            predicted["zero"] = sorted(everybody - found["received"].keys())
        self._settled_outcomes(wanted, found)
        self.fields.compare(where, {**recorded, **wanted}, {**predicted, **found})
        if result.link_routed:
            self._link(AttachResult(targets=result.targets), "router->broker")

    def _sending(self, step: Mapping[str, Any]) -> RouterSending:
        subject = step.get("subject", "")
        return RouterSending(
            self.running.name(step["router"]),
            step["address"],
            step["count"],
            anonymous=step.get("anonymous", False),
            presettled=step.get("presettled", False),
            burst=step.get("mode") == "burst",
            subjects=(subject,) if isinstance(subject, str) else tuple(subject),
        )

    @staticmethod
    def _attachment(
        result: SendResult, seen: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """What became of the sender itself: predicted and recorded."""
        predicted: dict[str, Any] = {"credit": result.credit} if "credit" in seen else {}
        if result.refusal is not None:
            refusal = {
                "condition": result.refusal.condition,
                "description": result.refusal.description,
            }
            predicted["sender_error"] = refusal
        return predicted, {name: seen[name] for name in ("credit", "sender_error") if name in seen}

    def _stale(self, network: MessageNetwork, sending: RouterSending, result: SendResult) -> str:
        """What routers out of reach have to do with a message (T-9): "" for nothing;
        ``released`` if only they are hosts, so that the sender has credit and gets everything
        back; ``unsure`` if others are too, or a link route or fallback is concerned."""
        start = network.interior(sending.router) or sending.router
        former = [
            attach(before, sending.router, "sender", sending.address)
            for before in self.running.remembered(sending.router)
        ]
        if not sending.anonymous and any(one.link_routed != result.link_routed for one in former):
            return "unsure"
        entry = network.routers[sending.router].table.entry(plain_address(sending.address))
        phase = str(entry.ingress_phase) if entry and not sending.anonymous else "0"
        everywhere = [
            router
            for router in network.routers
            if router == start or network.routes.reaches(start, router)
        ]
        remembered = [
            router
            for router in everywhere
            if self.running.stale_hosts(router, sending.address, phase)
        ]
        if entry and entry.fallback:
            remembered += [
                one
                for one in everywhere
                if self.running.stale_hosts(one, sending.address, FALLBACK)
            ]
        if not remembered:
            return ""
        state = AddressState.of(without_routed(network, sending.address), sending.address)
        alone = start in remembered and not state.has_destination(sending.router, phase)
        return "released" if alone and not (entry and entry.fallback) else "unsure"

    def _doubt(self, network: MessageNetwork, sending: RouterSending, result: SendResult) -> str:
        """Why the result may be another one than the courses of topograph; "" if it may not."""
        if self._shares_id(network, sending, result):
            return SHARED_ID
        held = Counter({name: len(ids) for name, ids in self.totals.items()})
        new = Counter(
            {
                one: max(sum(course.received.get(one, {}).values()) for course in result.courses)
                for one in _names(result)
            }
        )
        if any(held[name] + number > CREDIT for name, number in new.items()):
            return f"what becomes of messages beyond the {CREDIT} that a receiver takes"
        there = [one for _, one in network.by_address.get(plain_address(sending.address), ())]
        holding = [one.id for one in there if one.settle == "hold"]
        if sending.burst and sending.count > WINDOW and holding:
            return f"what a sender does beyond {WINDOW} unsettled messages"
        if not result.complete:
            return (
                "which of several receivers gets messages of a burst, or which of too many "
                "courses was taken"
            )
        balanced = any(
            decision.rule == "M-5" for one in _deliveries(result) for decision in one.decisions
        )
        if balanced and any(held[name] for name in holding) and len(there) > 1:
            return "which of several receivers gets messages while earlier ones are not settled"
        return ""

    def _shares_id(
        self, network: MessageNetwork, sending: RouterSending, result: SendResult
    ) -> bool:
        """Whether a router whose id another one has takes part (T-10)."""
        sharing = set(self.running.sharing(sending.router))
        state = AddressState.of(without_routed(network, sending.address), sending.address)
        start, hosts = (
            network.interior(sending.router),
            {network.interior(router) for router, _ in state.own},
        )
        beyond = any(host != start and not network.routes.reaches(start, host) for host in hosts)
        passed = {router for one in _deliveries(result) for router in one.path}
        return bool(sharing) and (
            beyond or not sharing.isdisjoint({sending.router, *passed, *hosts})
        )

    def _leave_open(
        self,
        doubt: str,
        where: str,
        seen: Mapping[str, Any],
        wanted: dict[str, Any],
        recorded: dict[str, Any],
        predicted: dict[str, Any],
        possible: Sequence[Mapping[str, Any]],
    ) -> None:
        """Compare what all courses agree in, leave out the rest, and go on from what was
        recorded. What differs between recordings, or depends on ids that routers share, cannot
        be compared by its nature."""
        if doubt not in (OUT_OF_REACH, SHARED_ID):
            outcomes = [form["outcomes"] for form in possible]
            if all(one == outcomes[0] for one in outcomes):
                recorded["outcomes"], predicted["outcomes"] = wanted.pop("outcomes"), outcomes[0]
                self._settled_outcomes(recorded, predicted)
            numbers = {
                sum(entry["count"] for entry in form["received"].values()) for form in possible
            }
            if len(numbers) == 1:
                recorded["copies"] = sum(entry["count"] for entry in wanted["received"].values())
                predicted["copies"] = numbers.pop()
            self.fields.compare(where, recorded, predicted)
        by_nature = doubt == SHARED_ID or seen.get("varies_between_runs", False)
        count = self.fields.set_aside if by_nature else self.fields.leave_out
        count(doubt, leaves(wanted) + ("zero" in seen))
        for name, entry in wanted["received"].items():
            self.totals.setdefault(name, []).extend([""] * entry["count"])
        for broker, addresses in seen.get("broker_deposits", {}).items():
            for address, number in addresses.items():
                stored = self.running.stored.setdefault(broker, {})
                stored[address] = stored.get(address, 0) + number
                self.ids.setdefault((broker, address), []).extend([""] * number)

    def _recorded(self, seen: Mapping[str, Any], result: SendResult) -> dict[str, Any]:
        received = {}
        for name, entry in seen["received"].items():
            received[name] = {
                key: value for key, value in entry.items() if key in ("count", "paths")
            }
            for key in sorted(entry.keys() - {"count", "paths", "ids"}):
                self.fields.leave_out(f"received has an unknown field {key}", leaves(entry[key]))
        outcomes = dict(seen["outcomes"])
        if any("unsettled" in course.outcomes for course in result.courses):
            # the README has no word for a message without an outcome
            without = sum(outcomes.pop(word) for word in [*outcomes] if word not in WORDS)
            outcomes |= {"unsettled": without} if without else {}
        found = {"outcomes": outcomes, "received": received}
        return (
            {**found, "broker_deposits": seen["broker_deposits"]}
            if "broker_deposits" in seen
            else found
        )

    def _predicted(
        self, course: SentCourse, network: MessageNetwork, seen: Mapping[str, Any]
    ) -> dict[str, Any]:
        received: dict[str, dict[str, Any]] = {}
        for message in course.messages:
            for one in message.deliveries:
                if one.receiver:
                    entry = received.setdefault(one.receiver, {"count": 0, "paths": {}})
                    way = self._shown(one, network)
                    entry["count"] += 1
                    entry["paths"][way] = entry["paths"].get(way, 0) + 1
        for name, entry in received.items():
            if "paths" not in seen["received"].get(name, {"paths": 0}):
                del entry["paths"]
        found: dict[str, Any] = {"outcomes": course.outcomes, "received": received}
        return (
            {**found, "broker_deposits": course.deposited} if "broker_deposits" in seen else found
        )

    def _shown(self, one: RouterDelivery, network: MessageNetwork) -> str:
        """A path as the trace annotation shows it: without edges, ``?`` if it ends on one, and
        only the leg after the last exchange.
        """
        way = one.path
        if network.routers[way[-1]].mode == "edge":
            return "?"
        exchanges = [
            place for place, decision in enumerate(one.decisions) if decision.rule == "X-1"
        ]
        if exchanges:
            way = tuple(decision.at for decision in one.decisions[exchanges[-1] + 1 :])
        return ">".join(
            self.running.id(router) for router in way if network.routers[router].mode != "edge"
        )

    def _settled_outcomes(self, recorded: dict[str, Any], predicted: dict[str, Any]) -> None:
        """Leave out the messages without an outcome where the recording has no word for them."""
        if "unsettled" in predicted["outcomes"] and "unsettled" not in recorded["outcomes"]:
            predicted["outcomes"] = {
                word: one for word, one in predicted["outcomes"].items() if word != "unsettled"
            }
            self.fields.leave_out("the number of messages without an outcome")

    def _carry_on(
        self, course: SentCourse, sent_ids: Sequence[str], *, only: bool
    ) -> dict[str, list[str]]:
        """Carry a course on into the next steps: what waits in containers, and who got which
        message, "" where that is not known: where receivers took turns and it is not the ``only``
        course, or where messages waited in more than one place."""
        self.running.stored = {}
        for broker, address, number in course.stored:
            self.running.stored.setdefault(broker, {})[address] = number
        sure = (
            only
            or len(course.received) == 1
            or all(
                {one.receiver for one in message.deliveries if one.receiver}
                in ({*course.received}, set())
                for message in course.messages
            )
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
                    ids[one.receiver].append(
                        taken if len(waiting) == 1 and len(course.received) == 1 else ""
                    )
        for receiver, got in ids.items():
            self.totals.setdefault(receiver, []).extend(got)
        return ids

    def _compare_received_ids(
        self, where: str, seen: Mapping[str, Any], ids: Mapping[str, list[str]]
    ) -> None:
        for receiver, entry in seen["received"].items():
            if "ids" in entry:
                self._compare_ids(f"{where} ids of {receiver}", entry["ids"], ids.get(receiver))

    def _compare_ids(
        self, where: str, recorded: Sequence[str], predicted: Sequence[str] | None
    ) -> None:
        if not predicted or not all(predicted):
            self.fields.leave_out("which of several receivers got which message")
        elif len(set(predicted)) < len(
            predicted
        ):  # the order in which copies overtake each other is not known
            self.fields.compare(where, sorted(recorded), sorted(predicted))
        else:
            self.fields.compare(where, list(recorded), list(predicted))

    def received_total(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for receiver, entry in seen["received_total"].items():
            got = self.totals.get(receiver, [])
            self.fields.compare(f"{where} {receiver} count", entry["count"], len(got))
            if got and "ids" in entry:
                self._compare_ids(f"{where} {receiver} ids", entry["ids"], got)
            elif "ids" in entry:
                self.fields.compare(f"{where} {receiver} ids", entry["ids"], got)


def _is_only(result: SendResult) -> bool:
    """Whether nothing but the one course can be."""
    return result.complete and len(result.courses) == 1


def _agree(predicted: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """Whether a course is the recorded one, but for messages without an outcome that the
    recording does not count.
    """
    expected = dict(predicted["outcomes"])
    if "unsettled" not in recorded["outcomes"]:
        expected.pop("unsettled", None)
    return {**predicted, "outcomes": expected} == dict(recorded)


def _deliveries(result: SendResult) -> Iterator[RouterDelivery]:
    return (
        one
        for course in result.courses
        for message in course.messages
        for one in message.deliveries
    )


def _names(result: SendResult) -> set[str]:
    """The receivers that may get something."""
    return {name for course in result.courses for name in course.received}
