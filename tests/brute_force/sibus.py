"""A second reading of the rules of service integration buses (sibus.md A3, seed 000), over the JSON
of the vectors: one message, one thread, plain lists.

Knows nothing of topograph. Mediations, topics of subscriptions and several queue points are left
out; the first outcome of each message is what is compared.
"""

from __future__ import annotations

from typing import Any

RELIABILITY = [
    "BEST_EFFORT_NONPERSISTENT", "EXPRESS_NONPERSISTENT", "RELIABLE_NONPERSISTENT",
    "RELIABLE_PERSISTENT", "ASSURED_PERSISTENT",
]  # fmt: skip

Destination = dict[str, Any]


class Ended(Exception):
    """How the message ends, as the outcomes are written."""


class Message:
    """One message on its way through ``buses``."""

    def __init__(self, buses: list[dict[str, Any]], ask: dict[str, Any]) -> None:
        self.buses = {bus["name"]: bus for bus in buses}
        self.engine = ask["mode"] == "engine"
        sent = ask["message"]
        self.here = ask["bus"]
        self.path = [(one["bus"] or "", one["destination"]) for one in sent["forwardRoutingPath"]]
        self.back = [
            (one["bus"] or self.here, one["destination"]) for one in sent["reverseRoutingPath"]
        ]
        self.reliability = sent["reliability"]
        self.redirects = 0
        self.sender = True
        self.moved: tuple[str, int] | None = None
        self.visited: list[str] = []
        self.seen: set[object] = set()
        self.start = ask["destination"]
        self.asks_for_a_queue = not ask["message"]["forwardRoutingPath"]
        """S-28: with a path the kinds of destinations are not compared."""

    def end(self) -> str:
        """How it ends."""
        try:
            if self.resolve("", self.start) is None:
                self.reject(self.failure("", self.start))
            own = self.find("", self.start)
            assert own is not None
            handler = self.resolve("", self.start)
            assert handler is not None
            if handler["type"] == "TopicSpace" and self.asks_for_a_queue:
                self.reject(11)
            if not self.sending(self.start):
                self.reject(17)
            self.arrive(self.start, "sender")
        except Ended as ended:
            return str(ended)
        raise AssertionError("a message has to end")

    def sending(self, name: str) -> bool:
        """Whether a destination of this bus takes messages; an alias that does not say takes
        what its target takes.
        """
        own, handler = self.find("", name) or {}, self.resolve("", name) or {}
        stated = own.get("sendAllowed")
        return bool(handler.get("sendAllowed", True) if stated is None else stated)

    def reject(self, code: object) -> None:
        raise Ended(f"REJECTED({code})")

    # names

    def find(self, bus: str, name: str) -> Destination | None:
        """What stands at an address of this bus, a link as a destination of the type ``link``."""
        if bus in ("", self.here):
            if name == f"_SYSTEM.Exception.Destination.{self.me()}":
                return {
                    "type": "Queue",
                    "identifier": name,
                    "exceptionDestination": "",
                    "system": True,
                }
            found = [
                one for one in self.buses[self.here]["destinations"] if one["identifier"] == name
            ]
            return found[0] if found else None
        known = [one["name"] for one in self.buses[self.here]["foreignBuses"]]
        return {"type": "link", "bus": bus, "identifier": name} if bus in known else None

    def me(self) -> str:
        return str(self.buses[self.here]["messagingEngines"][0])

    def resolve(self, bus: str, name: str) -> Destination | None:
        """Behind all aliases; None where that is nowhere, or where it may not be."""
        before: list[tuple[str, str]] = []
        found = self.find(bus, name)
        while found is not None and found["type"] == "Alias":
            key = ("" if bus == self.here else bus, name)
            if key in before:
                return None
            before.append(key)
            bus, name = found["targetBus"], found["targetIdentifier"]
            found = self.find(bus, name)
            if found is not None and found["type"] == "WebService":
                return None
        return found

    def failure(self, bus: str, name: str) -> object:
        """Why ``resolve`` gave None."""
        found = self.find(bus, name)
        if found is None:
            return 15
        seen = [name]
        while True:
            assert found is not None
            name = found["targetIdentifier"]
            found = self.find(found["targetBus"], name)
            if found is None:
                return 28
            if found["type"] == "WebService":
                return 29
            if name in seen:
                return "lookup"
            seen.append(name)

    # a destination

    def arrive(self, name: str, by: str) -> None:
        own = self.find("", name)
        assert own is not None
        handler = self.resolve("", name)
        assert handler is not None
        if by == "link" and not self.sending(name):
            self.exception(name, 17)
        if by != "exception":
            self.visited.append(f"{name}@{self.here}")
        if self.back and own.get("replyDestination"):
            reply = own["replyDestination"]
            self.back.insert(0, (reply["bus"] or self.here, reply["destination"]))
        filled = False
        if not self.path:
            self.path = [
                (one["bus"] or "", one["destination"])
                for one in own.get("defaultForwardRoutingPath", [])
            ]
            filled = bool(self.path)
        if not self.path:
            self.keep(name, own, handler)
        elif handler["type"] == "TopicSpace":
            if self.engine and by == "sender":
                self.reject(37)
            self.exception(name, 1 if self.engine and by != "sender" else 37)
        else:
            self.forward(name, filled)

    def keep(self, name: str, own: Destination, handler: Destination) -> None:
        if own["type"] == "Alias":
            if handler["type"] == "link":
                self.cross(handler["bus"], handler["identifier"], on_path=False)
                return
            if self.moved is not None and self.moved[0] == f"{name}@{self.here}":
                self.moved = (f"{handler['identifier']}@{self.here}", self.moved[1])
            name = handler["identifier"]
        if own["type"] == "WebService":
            self.exception(name, 34)
        address = f"{name}@{self.here}"
        if handler["type"] == "TopicSpace":
            raise Ended(f"PUBLISHED({address})")
        if self.moved is not None and self.moved[0] == address:
            raise Ended(f"EXCEPTIONED({address}, {self.moved[1]})")
        raise Ended(f"DELIVERED({address})")

    def forward(self, name: str, filled: bool) -> None:
        current = name
        while True:
            bus, head = self.path[0]
            target = self.resolve(bus, head)
            if target is None:
                self.exception(current, 37)
            assert target is not None
            current = head
            del self.path[0]
            if not self.engine or not self.path or target["type"] in ("TopicSpace", "link"):
                break
        if filled or self.engine:
            self.redirects += 1
            if self.redirects > 20:
                self.exception(head, 43, bus)
        if self.find(bus, head)["type"] == "link":  # type: ignore[index]  (it was found)
            self.cross(bus, head, on_path=True)
        else:
            self.arrive(head, "path")

    def cross(self, bus: str, name: str, *, on_path: bool) -> None:
        if bus not in self.buses:
            raise Ended(f"EXTERNAL({bus})")
        before, self.here, self.sender = self.here, bus, False
        if not on_path:
            key = ("cross", bus, name, tuple(self.path), before)
            if key in self.seen:
                raise Ended("LOOP")
            self.seen.add(key)
        if self.resolve("", name) is None:
            failure = self.failure("", name)
            self.system(failure if isinstance(failure, int) else 15)
        self.arrive(name, "link")

    # exceptions

    def exception(self, name: str, reason: int, bus: str = "") -> None:
        handler = self.resolve(bus, name) or {}
        threshold = handler.get("exceptionDiscardReliability", RELIABILITY[0])
        if RELIABILITY.index(self.reliability) <= RELIABILITY.index(threshold):
            raise Ended("DISCARDED(reliability)")
        configured = handler.get("exceptionDestination", "$DEFAULT_EXCEPTION_DESTINATION")
        if configured == "":
            if handler.get("system"):
                raise Ended("BLOCKED(retry)")
            if self.sender:
                self.reject(23)
            if self.moved is None:
                self.system(reason)
            raise Ended("BLOCKED(exception destination none)")
        queue = None if configured.startswith("$") else self.resolve("", configured)
        if queue is None or queue["type"] not in ("Queue", "Port"):
            self.system(reason, name)
        self.move(configured, reason, name)

    def system(self, reason: int, origin: str = "link") -> None:
        if origin == "link":
            # No estate here shows a link, whose exception destination counts (S-47).
            raise Ended("UNDETERMINED")
        if self.reliability == RELIABILITY[0]:
            raise Ended("DISCARDED(reliability)")
        self.move(f"_SYSTEM.Exception.Destination.{self.me()}", reason, origin)

    def move(self, name: str, reason: int, origin: str) -> None:
        key = (self.here, name, reason, origin)
        if key in self.seen:
            raise Ended("LOOP")
        self.seen.add(key)
        self.sender = False
        self.moved = (f"{name}@{self.here}", reason)
        self.path = []
        self.arrive(name, "exception")
