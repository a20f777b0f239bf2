"""Every put on small random estates of overlapping clusters, with gateways, aliases that clear or
change the name of the queue manager, and senders outside, ends as the decision procedure of the
specification says, followed by hand.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from brute_force.ibm_mq import Estate
from brute_force.test_ibm_mq_equals_brute_force import said
from conformance.ibm_mq_cases import write
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph

pytestmark = pytest.mark.slow

MANAGERS = ("QA", "QB", "QC", "QD", "QE", "QF")
QUEUES = ("X", "Y", "Z", "W")
ALIASES = ("ANY", "YORK")
"""Names of queue managers that only aliases have."""
ESTATES = draws(50)


class Drawn:
    """One estate, drawn from a number."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.managers = MANAGERS[: self.random.choice((2, 3, 3, 4, 5, 6))]
        self.clusters = ("K1", "K2", "K3")[: self.random.choice((1, 2, 2, 3))]
        self.channels: dict[str, list[dict[str, Any]]] = {name: [] for name in self.managers}
        self.objects: dict[str, list[dict[str, Any]]] = {name: [] for name in self.managers}

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def made(self) -> dict[str, Any]:
        managers = []
        for name in self.managers:
            self._member(name)
            self._queues(name)
            self._aliases(name)
            attributes = {"DEADQ": "DLQ"} if self.chance(0.8) else {}
            attributes |= {"CLWLUSEQ": "ANY"} if self.chance(0.3) else {}
            self._add(name, "QLOCAL", "DLQ")
            managers.append({"name": name, "attributes": attributes})
        self._links()
        for one in managers:
            one |= {
                "objects": self.objects[one["name"]],
                "channels": self.channels[one["name"]],
            }
        return {"system": "ibm_mq", "queueManagers": managers}

    def _add(self, manager: str, kind: str, name: str, **attributes: Any) -> None:
        if all(one["name"] != name for one in self.objects[manager]):
            self.objects[manager].append({"type": kind, "name": name, "attributes": attributes})

    def _channel(self, manager: str, kind: str, name: str, **attributes: Any) -> None:
        self.channels[manager].append({"name": name, "chltype": kind, "attributes": attributes})

    def _member(self, name: str) -> None:
        outside = self.chance(0.2)
        for cluster in self.clusters:
            if not outside and self.chance(0.7):
                ranks = {one: 1 for one in ("CLWLRANK", "CLWLPRTY") if self.chance(0.08)}
                to = f"{name.lower()}(1414)"
                self._channel(
                    name, "CLUSRCVR", f"{cluster}.{name}", CLUSTER=cluster, CONNAME=to, **ranks
                )

    def _clustered(self, manager: str) -> dict[str, Any]:
        """What says where an object is advertised, and how it is chosen there."""
        found: dict[str, Any] = {}
        if self.chance(0.65):
            found["CLUSTER"] = self.random.choice(self.clusters)
        elif self.chance(0.4):
            found["CLUSNL"] = "ALL"
            self._add(manager, "NAMELIST", "ALL", NAMES=list(self.clusters))
        for name, chance, values in (
            ("DEFBIND", 0.5, ("NOTFIXED", "NOTFIXED", "GROUP", "OPEN")),
            ("CLWLRANK", 0.12, (1,)),
            ("CLWLPRTY", 0.12, (1,)),
            ("PUT", 0.08, ("DISABLED",)),
        ):
            if self.chance(chance):
                found[name] = self.random.choice(values)
        return found

    def _queues(self, manager: str) -> None:
        for name in QUEUES:
            if self.chance(0.5):
                continue
            kind = self.random.choice(["QLOCAL"] * 5 + ["QALIAS"] * 3 + ["QREMOTE"] * 2)
            attributes = self._clustered(manager)
            if kind == "QALIAS":
                attributes["TARGET"] = self.random.choice(QUEUES)
            elif kind == "QREMOTE":
                attributes["RNAME"] = self.random.choice(QUEUES)
                attributes["RQMNAME"] = self.random.choice((*self.managers, *ALIASES))
            elif self.chance(0.3):
                attributes["CLWLUSEQ"] = self.random.choice(("ANY", "LOCAL"))
            self._add(manager, kind, name, **attributes)

    def _aliases(self, manager: str) -> None:
        """Aliases of queue managers: that clear the name, keep it, change it or mean this one."""
        for name in (*self.managers, *ALIASES, *ALIASES):
            if name != manager and self.chance(0.2):
                real = self.random.choice((" ", " ", name, name, manager, *self.managers))
                self._add(
                    manager,
                    "QREMOTE",
                    name,
                    **{"RNAME": " ", "RQMNAME": real, **self._clustered(manager)},
                )

    def _links(self) -> None:
        """Channels outside of clusters, with a transmission queue of the name of the other end."""
        for start in self.managers:
            for end in self.managers:
                if start != end and self.chance(0.2):
                    name, to = f"{start}.{end}", f"{end.lower()}(1414)"
                    self._add(start, "QLOCAL", end, USAGE="XMITQ")
                    self._channel(start, "SDR", name, XMITQ=end, CONNAME=to)
                    self._channel(end, "RCVR", name)


@settings(max_examples=ESTATES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_every_put_on_overlapping_clusters_ends_as_the_decision_procedure_says(seed: int) -> None:
    given_ = Drawn(seed).made()
    with tempfile.TemporaryDirectory() as folder:
        write(given_, Path(folder))
        network = topograph.read(folder)
    by_hand = Estate(given_)
    for at in by_hand.managers:
        for oqm in ("", at, *MANAGERS[:2], *ALIASES):
            for name in QUEUES:
                expected, found = by_hand.put(at, oqm, name), said(network, at, oqm, name, True)
                assert found == expected, f"put({at}, {oqm!r}, {name})"
