"""The tables of qdstat and skstat, and how a row of each becomes the attributes that a management
query gives the entity.

Columns differ from version to version and with ``--verbose``: each is known by its header. Cells
without an attribute of their own (an address in three columns, a delay in words) are put together
or left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from topograph.records import record

Row = Mapping[str, str]
Values = dict[str, object]

_USER = re.compile(r"(.*)\((\w[\w.-]*+)\)\Z")
_QUOTED = re.compile(r"u?'([^']*+)'|u?\"([^\"]*+)\"")
_SEPARATOR = re.compile("[./]")
_STATISTICS = {
    "Version": "version",
    "Mode": "mode",
    "Router Id": "id",
    "Worker Threads": "workerThreads",
    "Area": "area",
    "Link Routes": "linkRouteCount",
    "Auto Links": "autoLinkCount",
    "Links": "linkCount",
    "Nodes": "nodeCount",
    "Addresses": "addrCount",
    "Connections": "connectionCount",
    "Presettled Count": "presettledDeliveries",
    "Dropped Presettled Count": "droppedPresettledDeliveries",
    "Accepted Count": "acceptedDeliveries",
    "Rejected Count": "rejectedDeliveries",
    "Released Count": "releasedDeliveries",
    "Modified Count": "modifiedDeliveries",
    "Deliveries Delayed > 1sec": "deliveriesDelayed1Sec",
    "Deliveries Delayed > 10sec": "deliveriesDelayed10Sec",
    "Deliveries Stuck > 10sec": "deliveriesStuck",
    "Deliveries to Fallback": "deliveriesRedirectedToFallback",
    "Links Blocked": "linksBlocked",
    "Ingress Count": "deliveriesIngress",
    "Egress Count": "deliveriesEgress",
    "Transit Count": "deliveriesTransit",
    "Deliveries from Route Container": "deliveriesIngressRouteContainer",
    "Deliveries to Route Container": "deliveriesEgressRouteContainer",
    "Host Name": "hostName",
    "Hello Interval Seconds": "helloIntervalSeconds",
    "Hello Max Age Seconds": "helloMaxAgeSeconds",
    "RA Interval Seconds": "raIntervalSeconds",
    "RA Interval Flux Seconds": "raIntervalFluxSeconds",
    "Remote Ls Max Age Seconds": "remoteLsMaxAgeSeconds",
    "Default Distribution": "defaultDistribution",
    "Data Connection Count": "dataConnectionCount",
    "Van Id": "vanId",
    "Total Connections": "connectionCount",
    "Debug Dump File": "",
    "Sasl Config Dir": "",
    "Sasl Config Name": "",
    "Timestamps In UTC": "",
    "Timestamp Format": "",
    "Metadata": "",
    "RSS": "",
    "Uptime": "",
    "VmSize": "",
}
COUNTED = " Service Connections"
"""How rows end that count the connections of a protocol: nothing rests on them."""

_POLICY = {
    "Maximum Concurrent Connections": "maxConnections",
    "Maximum Message Size": "maxMessageSize",
    "Enable Vhost Policy": "enableVhostPolicy",
    "Enable Vhost Name Patterns": "enableVhostNamePatterns",
    "Policy Directory": "policyDir",
    "Default Vhost": "defaultVhost",
}
_LINK_COLUMNS = {
    "type": "linkType",
    "dir": "linkDir",
    "conn id": "connectionId",
    "id": "identity",
    "peer": "peer",
    "cap": "capacity",
    "pri": "priority",
    "undel": "undeliveredCount",
    "unsett": "unsettledCount",
    "deliv": "deliveryCount",
    "del": "deliveryCount",
    "presett": "presettledCount",
    "psdrop": "droppedPresettledCount",
    "acc": "acceptedCount",
    "rej": "rejectedCount",
    "rel": "releasedCount",
    "mod": "modifiedCount",
    "stuck": "deliveriesStuck",
    "rate": "settleRate",
    "cred": "creditAvailable",
    "admin": "adminStatus",
    "oper": "operStatus",
    "name": "linkName",
    "delay": "",
    "blkd": "",
    "class": "",
    "addr": "",
    "phs": "",
}
_ADDRESS_COLUMNS = {
    "distrib": "distribution",
    "pri": "priority",
    "in-proc": "inProcess",
    "remote": "remoteCount",
    "cntnr": "containerCount",
    "in": "deliveriesIngress",
    "out": "deliveriesEgress",
    "thru": "deliveriesTransit",
    "fallback": "deliveriesRedirectedToFallback",
    "to-proc": "deliveriesToContainer",
    "from-proc": "deliveriesFromContainer",
    "watch": "",
    "local": "",
    "class": "",
    "addr": "",
    "phs": "",
}
_CONNECTION_COLUMNS = {
    "id": "identity",
    "Id": "identity",
    "host": "host",
    "container": "container",
    "role": "role",
    "proto": "protocol",
    "dir": "dir",
    "tenant": "tenant",
    "security": "",
    "authentication": "",
    "last dlv": "",
    "uptime": "",
    "active": "",
    "meshId": "",
}
_NODE_COLUMNS = {
    "router-id": "id",
    "ver": "protocolVersion",
    "cost": "cost",
    "next-hop": "",
    "link": "",
}
_NODE_LISTS = {"neighbors": "linkState", "valid-origins": "validOrigins"}
_AUTOLINK_COLUMNS = {
    "addr": "address",
    "dir": "direction",
    "phs": "phase",
    "extAddr": "externalAddress",
    "link": "linkRef",
    "status": "operStatus",
    "lastErr": "lastError",
}
_LINK_ROUTE_COLUMNS = {
    "dir": "direction",
    "distrib": "distribution",
    "status": "operStatus",
    "add-ext-prefix": "addExternalPrefix",
    "del-ext-prefix": "delExternalPrefix",
    "address": "",
    "prefix": "",
}


def _named(row: Row, columns: Mapping[str, str]) -> Values:
    """The cells that have an attribute of their own; ``-`` and blank cells are unset."""
    return {
        columns[name]: cell
        for name, cell in row.items()
        if columns.get(name) and cell not in ("", "-")
    }


def _key(row: Row) -> str:
    """The internal key of an address from its class, text and phase; link-route patterns are
    told from prefixes by their wildcards (L-10).
    """
    class_, text = row.get("class", ""), row.get("addr", "")
    if class_ == "mobile":
        return f"M{row.get('phs') or '0'}{text}"
    if class_ in ("link-in", "link-out"):
        pattern = any(token in ("*", "#") for token in _SEPARATOR.split(text))
        return {"link-in": "CE", "link-out": "DF"}[class_][pattern] + text
    letter = {"router": "R", "area": "A", "local": "L", "topo": "T", "edge": "H"}.get(class_, "")
    return letter + text if letter else ""


def _link(row: Row) -> Values:
    values = _named(row, _LINK_COLUMNS)
    if key := _key(row):
        values["owningAddr"] = key
    return values


def _address(row: Row) -> Values:
    key = _key(row)
    count = "containerCount" if row.get("class") in ("link-in", "link-out") else "subscriberCount"
    local = {count: row["local"]} if row.get("local") else {}
    return {"key": key or row.get("addr", ""), **_named(row, _ADDRESS_COLUMNS), **local}


def _connection(row: Row) -> Values:
    values = _named(row, _CONNECTION_COLUMNS)
    if "security" in row:
        values["isEncrypted"] = row["security"] != "no-security"
    if "authentication" in row:
        values["isAuthenticated"] = row["authentication"] != "no-auth"
        user = _USER.match(row["authentication"])
        if user:
            values["user"], values["sasl"] = user[1], user[2]
    if "role" not in row:  # the table of -e has edge connections alone
        values["role"] = "edge"
    if row.get("active") in ("yes", "no"):
        values["active"] = row["active"] == "yes"
    return values


def _node(row: Row) -> Values:
    values = _named(row, _NODE_COLUMNS)
    if row.get("next-hop") not in (None, "", "-"):
        values["nextHop"] = row["next-hop"]
    if row.get("link") not in (None, "", "-", "(self)"):
        values["routerLink"] = row["link"]
    for column, attribute in _NODE_LISTS.items():
        if column in row:
            values[attribute] = [one or other for one, other in _QUOTED.findall(row[column])]
    return values


def _link_route(row: Row) -> Values:
    text = row.get("address") or row.get("prefix") or ""
    pattern = any(token in ("*", "#") for token in _SEPARATOR.split(text))
    return {"pattern" if pattern else "prefix": text, **_named(row, _LINK_ROUTE_COLUMNS)}


def _as_written(row: Row) -> Values:
    return {name: cell for name, cell in row.items() if cell}


@record
class QdstatTable:
    """What a table is: the type of its entities, how a row becomes one, the columns known."""

    type: str
    entity: Callable[[Row], Values]
    columns: frozenset[str] | None = None
    pairs: Mapping[str, str] | None = None
    """Set for tables of attr and value, which are one entity: attribute by what the first column
    says.
    """


TABLES = {
    "Router Statistics": QdstatTable("router", dict, pairs=_STATISTICS),
    "Policy Configuration": QdstatTable("policy", dict, pairs=_POLICY),
    "Routers in the Network": QdstatTable(
        "router.node", _node, frozenset(_NODE_COLUMNS) | frozenset(_NODE_LISTS)
    ),
    "Router Addresses": QdstatTable("router.address", _address, frozenset(_ADDRESS_COLUMNS)),
    "Connections": QdstatTable("connection", _connection, frozenset(_CONNECTION_COLUMNS)),
    "Router Links": QdstatTable("router.link", _link, frozenset(_LINK_COLUMNS)),
    "AutoLinks": QdstatTable(
        "autoLink", lambda row: _named(row, _AUTOLINK_COLUMNS), frozenset(_AUTOLINK_COLUMNS)
    ),
    "Link Routes": QdstatTable("linkRoute", _link_route, frozenset(_LINK_ROUTE_COLUMNS)),
    "Vhosts": QdstatTable("vhost", _as_written),
}
"""The tables that are read, by title."""

NOT_READ = re.compile(
    r"(?:Types|Memory Pools|Summary|Memory Summary|Policy Status|Vhost Stats|Vhost User "
    r"Stats|Vhost Groups|Vhost (?>'.*?' UserGroup ').*')\Z"
)
"""Tables that say nothing of where messages go."""


def entity_name(type_: str, values: Values) -> str:
    """The name as a query gives it; autolinks and link routes have none in a table."""
    match type_:
        case "router":
            return str(values.get("id", ""))
        case "router.node":
            return f"router.node/{values.get('id', '')}"
        case "router.address":
            return str(values.get("key", ""))
        case "router.link":
            return str(values.get("linkName", ""))
        case "connection":
            return f"connection/{values.get('host', '')}"
        case _:
            return str(values.get("hostname", ""))
