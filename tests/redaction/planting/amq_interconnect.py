"""Files, dumps and tables of AMQ Interconnect."""

from __future__ import annotations

import json
from collections.abc import Iterator

from redaction.planting.words import Planted


def amq_interconnect(p: Planted) -> Iterator[tuple[str, str]]:
    shared_host, shared_client = p.host(), p.client()
    yield (
        f"amq/{shared_host}.conf",
        f"""router {{
    mode: interior
    id: ONE
    hostName: {p.host()}
    metadata: {p.text()} token={p.secret()}
    debugDumpFile: /tmp/{p.text()}
    saslConfigDir: /etc/{p.text()}
}}
sslProfile {{
    name: profile
    caCertFile: /certs/{p.text()}
    privateKeyFile: /certs/{p.secret()}
    password: {p.secret()}
    passwordFile: /certs/{p.secret()}
}}
listener {{
    host: {p.host()}
    port: 5672
    role: inter-router
    sslProfile: profile
    policyVhost: {p.host()}
    failoverUrls: amqp://{p.user()}:{p.secret()}@{p.host()}:5672, amqp://{p.host()}
    openProperties: {{
        "product": "{p.text()}",
        "password": "{p.secret()}",
        "apiKey": "{p.secret()}",
        "hostname": "{p.host()}",
        "nested": {{
            "access_key": "{p.secret()}",
            "user": "{p.user()}"
        }}
    }}
}}
connector {{
    name: to-{shared_host}
    host: {shared_host}
    port: 5673
    role: inter-router
    saslUsername: {p.user()}
    saslPassword: {p.secret()}
}}
connector {{
    host: {p.host()}
    port: 5674
    role: route-container
    saslPassword = {p.secret()}
}}
connector {{
    name: local
    host: 127.0.0.1
    port: {p.host()}
    cost: {p.text()}
}}
linkRoute {{
    prefix: a
    direction: in
    connection: to-{shared_host}
}}
autoLink {{
    address: queue
    direction: in
    containerId: {shared_client}
}}
address {{
    prefix: orders
    distribution: {p.text()}
    strange: {p.user()}
}}
vhost {{
    hostname: {p.host()}
    maxConnections: 10
    allowUnknownUser: true
    groups: {{
        "clerks": {{
            "users": "{p.user()}, {p.user()}",
            "remoteHosts": "{p.host()}, 10.11.12.13, 10.1.1.1-10.1.1.9, *",
            "sources": "orders",
            "note": "{p.text()}"
        }}
    }}
}}
authServicePlugin {{
    name: auth
    host: {p.host()}
    port: 1
    realm: {p.host()}
}}
log {{
    module: DEFAULT
    outputFile: /logs/{p.text()}
}}
proxyProfile {{
    host: {p.host()}
    username: {p.user()}
    password: {p.secret()}
}}
{p.text()} {{
    {p.text()}: {p.text()}
    saslPassword: {p.secret()}
}}
a line {p.text()} with password {p.secret()}
""",
    )
    yield (
        "amq/two.json",
        json.dumps(
            [
                [
                    "router",
                    {"mode": "interior", "id": "TWO", "metadata": p.text(), p.text(): p.text()},
                ],
                [
                    "listener",
                    {
                        "host": shared_host,
                        "port": 5673,
                        "role": "inter-router",
                        "saslPassword": p.secret(),
                    },
                ],
                [
                    "connector",
                    {
                        "host": p.host(),
                        "port": "5675",
                        "role": "inter-router",
                        "saslUsername": p.user(),
                        "saslPassword": p.secret(),
                        "openProperties": {
                            "secret_token": p.secret(),
                            "x": [p.text()],
                            "clientId": p.client(),
                        },
                    },
                ],
                [
                    "autoLink",
                    {"address": "queue", "direction": "out", "containerId": shared_client},
                ],
                ["sslProfile", {"name": "p", "password": p.secret(), "privateKeyFile": p.secret()}],
                [
                    "vhost",
                    {"id": p.host(), "groups": {"g": {"users": p.user(), "remoteHosts": p.host()}}},
                ],
            ]
        ),
    )
    sound = p.host()
    for name, other in (("THREE", "listener"), ("FOUR", "connector")):
        yield (
            f"amq/{name.lower()}.conf",
            f"router {{\n    mode: interior\n    id: {name}\n}}\n{other} {{\n    host: "
            f"{sound}\n    port: 5690\n    role: inter-router\n}}\n"
            f"connector {{\n    name: broker\n    host: {p.host()}\n    port: 5691\n    "
            f"role: route-container\n    saslUsername: {p.user()}\n"
            f"    saslPassword: {p.secret()}\n}}\nautoLink {{\n    address: queue\n    "
            f"direction: out\n    containerId: {p.client()}\n}}\n"
            "address {\n    prefix: queue\n    waypoint: true\n}\n",
        )
    prefix = "org.apache.qpid.dispatch."
    yield (
        "amq/dump.json",
        json.dumps(
            [
                {
                    "type": f"{prefix}router",
                    "id": "TWO",
                    "identity": "router/TWO",
                    "hostName": p.host(),
                    "metadata": p.text(),
                },
                {
                    "type": f"{prefix}connection",
                    "identity": "7",
                    "name": f"connection/{shared_host}:39000",
                    "host": f"{shared_host}:39000",
                    "container": shared_client,
                    "user": p.user(),
                    "role": "normal",
                    "dir": "in",
                    "properties": {"product": p.text(), "password": p.secret(), "host": p.host()},
                    "sslCipher": p.text(),
                },
                {
                    "type": f"{prefix}connector",
                    "name": f"connector/{p.host()}:5675",
                    "host": p.host(),
                    "port": "5675",
                    "saslUsername": p.user(),
                    "saslPassword": p.secret(),
                    "failoverUrls": f"amqp://{p.user()}:{p.secret()}@{p.host()}:1",
                    "connectionStatus": "SUCCESS",
                    "connectionMsg": (
                        f"[C9] Connection Opened: dir=out host={p.host()}:5675 "
                        f"user={p.user()} container_id={p.client()}"
                    ),
                },
                {
                    "type": f"{prefix}router.link",
                    "identity": "3",
                    "name": f"router.link/{p.client()}",
                    "linkName": p.client(),
                    "linkType": "endpoint",
                    "linkDir": "out",
                    "owningAddr": "M0orders",
                    "connectionId": "7",
                },
                {
                    "type": f"{prefix}vhost",
                    "name": f"vhost/{p.host()}",
                    "id": p.host(),
                    "hostname": p.host(),
                },
                {
                    "type": f"{prefix}vhostUserStats",
                    "id": f"{p.host()}::{p.user()}",
                    "user": p.user(),
                },
                {
                    "type": f"{prefix}sslProfile",
                    "name": "p",
                    "password": p.secret(),
                    "privateKeyFile": p.secret(),
                },
                {"type": p.key(), "name": p.key(), "anything": p.text(), "token": p.secret()},
            ]
        ),
    )
    yield (
        "amq/qdstat.txt",
        "2026-11-21 10:00:00.000000 UTC\nTWO\n\n" + _connections(p.host(), p.client(), p.user()),
    )


def _connections(host: str, client: str, user: str) -> str:
    """The table of ``qdstat -c`` with one row, each cell below its header."""
    cells = {
        "id": "8",
        "host": f"{host}:40000",
        "container": client,
        "role": "normal",
        "dir": "in",
        "security": "no-security",
        "authentication": f"{user}(PLAIN)",
        "tenant": "",
    }
    widths = {name: max(len(name), len(cell)) + 2 for name, cell in cells.items()}
    header = "".join(name.ljust(widths[name]) for name in cells).rstrip()
    row = "".join(cell.ljust(widths[name]) for name, cell in cells.items()).rstrip()
    return f"Connections\n  {header}\n  {'=' * len(header)}\n  {row}\n"
