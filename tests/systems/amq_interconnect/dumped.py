"""Dumps of routers, made entity by entity or recorded, and what is found in them."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).parents[2] / "golden" / "amq_interconnect"
RECORDED = sorted(GOLDEN.glob("*/dump"))

LONG = "org.apache.qpid.dispatch."


class Dump:
    """The dump of one router, made entity by entity."""

    def __init__(self, id_, mode="interior"):
        self.id = id_
        self.rows = [
            {"type": LONG + "router", "identity": "1", "id": id_, "mode": mode, "version": "1.19.0"}
        ]
        self.add(
            "listener",
            identity="l",
            name="listener/0.0.0.0:5672",
            host="0.0.0.0",
            port="5672",
            role="normal",
        )

    def add(self, type_, **attributes):
        self.rows.append({"type": LONG + type_, **attributes})
        return self

    def neighbours(self, *ids, **costs):
        self.add("router.node", id=self.id, nextHop="(self)", linkState=list(ids))
        for number, id_ in enumerate(ids):
            self.add(
                "router.node",
                id=id_,
                routerLink=number,
                cost=costs.get(id_, 1),
                linkState=[self.id],
            )
        return self

    def connector(
        self,
        name,
        to,
        host="h",
        port="55672",
        role="inter-router",
        cost=1,
        status="SUCCESS",
        message="",
    ):
        self.add("connector", identity=name, name=name, host=host, port=port, role=role, cost=cost,
            connectionStatus=status,
                 connectionMsg=message)  # fmt: skip
        if to:
            self.add(
                "connection",
                identity=f"{len(self.rows)}",
                host=f"{host}:{port}",
                container=to,
                role=role,
                dir="out",
            )
        return self

    def listener(self, port="55672", role="inter-router", cost=1):
        return self.add(
            "listener",
            identity=f"l{port}",
            name=f"listener/0.0.0.0:{port}",
            host="0.0.0.0",
            port=port,
            role=role,
            cost=cost,
        )


def links(network):
    return [
        (row["from"], row["to"], row["cost"])
        for row in network.show("routes").rows
        if not row["standby"]
    ]


RULES = {
    "refused-but-runs": ("C-2", "warning"),
    "not-running": ("D-2", "warning"),
    "not-configured": ("D-2", "warning"),
    "configuration-from-dump": ("D-2", "info"),
    "connector-not-connected": ("D-6", "warning"),
    "autolink-not-active": ("D-6", "warning"),
    "linkroute-not-active": ("D-6", "warning"),
    "router-not-loaded": ("D-3", "warning"),
    "router-perhaps-gone": ("T-9", "info"),
    "router-not-told": ("3.3", "info"),
    "router-not-running": ("D-3", "warning"),
    "link-not-up": ("D-3", "warning"),
    "link-not-configured": ("D-3", "warning"),
    "parallel-links": ("T-11", "error"),
    "route-differs": ("T-4", "warning"),
}
"""The rule and severity of what a dump says beside a file, by kind."""


def findings(network, *kinds):
    rows = [row for row in network.show("findings").rows if row["kind"] in kinds or not kinds]
    for row in rows:
        assert (row["rule"], row["severity"]) == RULES.get(
            row["kind"], (row["rule"], row["severity"])
        ), row
    return [
        (row["kind"], f"{row['source']['file']}:{row['source']['line']}", row["message"])
        for row in rows
    ]


def kinds(network):
    expected = {
        "configuration-from-dump",
        "partition",
        "single-point-of-failure",
        "edge-with-one-uplink",
    }
    return sorted({row["kind"] for row in network.show("findings").rows} - expected)


def linked(id_, cost=1, up=False):
    end = (
        "connector {\n name: to\n host: 127.0.0.1\n port: 55672"
        if up
        else "listener {\n host: 127.0.0.1\n port: 55672"
    )
    return (
        f"router {{\n mode: interior\n id: {id_}\n}}\n{end}\n role: inter-router\n cost: "
        f"{cost}\n}}\n"
    )
