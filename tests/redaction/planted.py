"""An estate with a distinctive value in every place where a secret, host, user or client id can
stand.

Each value is planted once or twice and holds a word that nothing else does, so that finding the
word anywhere downstream is a leak.
"""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path


class Planted:
    """Hands out values of a kind, and finds them again in whatever an import made."""

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()
        self.words: dict[str, str] = {}
        """Word to kind."""

    def _word(self, kind: str) -> str:
        self._numbers[kind] += 1
        word = f"zq{kind}{self._numbers[kind]}x"
        self.words[word] = kind
        return word

    def secret(self) -> str:
        return self._word("secret")

    def host(self) -> str:
        return f"{self._word('host')}.{self._word('domain')}.example"

    def user(self) -> str:
        return self._word("user")

    def client(self) -> str:
        return self._word("client")

    def text(self) -> str:
        """A word in a description, an unknown setting, a path on a server: hidden by redaction,
        and by nothing else.
        """
        return self._word("text")

    def key(self) -> str:
        """A word of a configuration's own language that nobody knows: the name of a setting or a
        type, which stays.
        """
        return self._word("key")

    def leaks(self, shown: str | bytes, *kinds: str) -> list[str]:
        """The planted words of those kinds (of all, if none are named) that stand in what is
        shown.
        """
        lower = (shown.decode("utf-8", "replace") if isinstance(shown, bytes) else shown).lower()
        return [
            word
            for word, kind in self.words.items()
            if (not kinds or kind in kinds) and word in lower
        ]


def planted_estate(root: Path) -> Planted:
    """Write the estate; every file of every system, with planted values."""
    planted = Planted()
    files = {
        **dict(_ems(planted)),
        **dict(_amq(planted)),
        **dict(_keyed(planted)),
        **dict(_sibus(planted)),
        **dict(_ibm_mq(planted)),
        **dict(_mqe(planted)),
        **dict(_others(planted)),
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    _archives(planted, root)
    return planted


def _ems(p: Planted) -> Iterator[tuple[str, str]]:
    shared_host, shared_user, shared_client = p.host(), p.user(), p.client()
    folder = f"ems/{shared_host}/{shared_user}"
    yield (
        f"{folder}/tibemsd.conf",
        f"""server = ALPHA
password = {p.secret()}
ssl_password = {p.secret()} {p.secret()}
ft_ssl_password = $man${p.secret()}
ssl_server_key = {p.secret()}
some_obfuscated = $man${p.secret()}
routing = enabled
authorization = enabled
listen = tcp://{shared_host}:7222
listen = ssl://{p.user()}:{p.secret()}@{p.host()}:7243
listen = tcp://{p.user()}:{p.secret()}/{p.secret()}@{p.host()}:7244
listen = tcp://{p.user()}:{p.secret()}@{p.secret()}@{p.host()}:7245
listen = {p.host()}:no-url
ft_active = tcp://{p.host()}:7222?{p.text()}={p.text()}&password={p.secret()}
ldap_url = ldap://{p.host()}:389
ldap_credential = {p.secret()}
ldap_principal = cn={p.user()},dc={p.text()}
ldap_user_base_dn = ou={p.user()}
jre_option = -Djavax.net.ssl.trustStorePassword={p.secret()} -Duser={p.text()}
logfile = /home/{p.text()}/log
store = /data/{p.text()}
proxy_host = {p.host()}
unknown_thing = {p.text()}
a line {p.text()} that is {p.host()} nothing
password {p.secret()}
routing_user {p.user()}
users = /etc/{shared_user}/users.conf
groups = groups.conf
acl_list = acl.conf
topics = topics.conf
queues = /cfg/{p.text()}/missing-queues.conf
routes = routes.conf
bridges = bridges.conf
durables = durables.conf
factories = factories.conf
stores = stores.conf
channels = channels.conf
transports = transports.conf
tibrvcm = tibrvcm.conf
""",
    )
    grouped = p.user()
    yield (
        f"{folder}/users.conf",
        f'{shared_user}:{p.secret()}:"{p.text()} '
        f'{p.text()}"\n{grouped}:$man${p.secret()}:"{p.text()}"\n'
        f'"{p.user()} {p.user()}":{p.secret()}\nadmin::"the '
        f'administrator"\nBETA:{p.secret()}:"a server"\n'
        f"{p.user()} {p.secret()} no colons\n:{p.secret()}:\n",
    )
    yield (
        f"{folder}/groups.conf",
        (
            f'{p.text()} before any group\nclerks:"{p.text()}"\n  {grouped}\n  {p.user()}\n  '
            f"{shared_user}\n"
        ),
    )
    yield (
        f"{folder}/acl.conf",
        f"TOPIC=orders USER={shared_user} PERM=publish,subscribe\nTOPIC=orders "
        "GROUP=clerks PERM=subscribe\n"
        f"TOPIC=secure.> USER=BETA PERM=publish,subscribe,durable\nADMIN USER={p.user()} PERM=all\n"
        f"TOPIC=orders USER={p.user()} {p.user()} PERM=publish\nTOPIC orders USER "
        f"{p.user()}\nQUEUE=q USER={p.user()}\n",
    )
    yield (
        f"{folder}/topics.conf",
        (
            "orders global,secure\nsecure.> global,secure\nother "
            f"owner={p.user()},password={p.secret()}\nmore {p.key()},global\n"
        ),
    )
    yield (
        f"{folder}/routes.conf",
        f"""[BETA]
 url = tcp://{shared_host}:7222,ssl://{p.user()}:{p.secret()}@{p.host()}:7243
 zone_name = Z
 zone_type = 1hop
 ssl_password = {p.secret()}
 ssl_identity = /certs/{p.text()}
 ssl_expected_hostname = {p.host()}
 user_name = {p.user()}
 strange = {p.text()}
[GAMMA]
 url = tcp:/{p.host()}:7222
 zone_name = Z
 zone_type = 1hop
[BROKEN]
 url = tcp://{p.host()}:7222
 incoming_topic = orders
 outgoing {p.text()} {p.host()}
""",
    )
    yield (
        f"{folder}/bridges.conf",
        f"[topic:orders]\n queue=q selector=\"kind = 'x'\"\n topic=other user={p.user()}\n",
    )
    yield (
        f"{folder}/durables.conf",
        f"orders audit clientid={shared_client}\norders second "
        f'clientid={p.client()},selector="a=1"\n'
        f"orders third clientid {p.client()}\norders\nother audit "
        f"clientid={shared_client},{p.text()}\n",
    )
    yield (
        f"{folder}/factories.conf",
        f"""[Factory]
 type = generic
 url = tcp://{p.user()}:{p.secret()}@{p.host()}:7222,tcp://{p.host()}:7222
 clientID = {p.client()}
 ssl_identity = {p.text()}
 ssl_password = {p.secret()}
 username = {p.user()}
 description = {p.text()}
 {p.text()} no equals
""",
    )
    yield (
        f"{folder}/stores.conf",
        f"[store1]\n type=dbstore\n file={p.text()}.db\n "
        f"dbstore_driver_url=jdbc:oracle://{p.user()}:{p.secret()}@{p.host()}:1521/x\n"
        f" dbstore_driver_username={p.user()}\n dbstore_driver_password={p.secret()}\n",
    )
    yield f"{folder}/channels.conf", f"[chan]\n address=239.1.2.3:10\n interface={p.host()}\n"
    yield (
        f"{folder}/transports.conf",
        f"[RV]\n type=tibrv\n daemon=tcp:{p.host()}:7500\n "
        f"network=eth0;{p.text()}\n[SS]\n type=tibss\n"
        f" server_names={p.host()},tcp:{p.host()}:5101\n username={p.user()}\n "
        f"password={p.secret()}\n",
    )
    yield f"{folder}/tibrvcm.conf", f"RV {p.client()} sub.ject\nRV {p.client()}\n"
    yield (
        f"{folder}/show-routes.txt",
        "ALPHA> show routes\n   Route  T ConnID  URL  ZoneName  ZoneType\n   BETA  A 5  "
        f"tcp://{p.user()}:{p.secret()}@{p.host()}:7222  Z  1\n"
        f"   GAMMA  A x  tcp://{p.host()}:7222  Z  1\n",
    )
    yield (
        f"{folder}/show.txt",
        f"Connected to: tcp://{p.host()}:7222\n Server:   ALPHA (version: 8.6.0)\n "
        f"Hostname: {p.host()}\nCommand: connect tcp://{p.host()} admin {p.secret()}\n"
        "Command: show topics\n  Topic Name  SNFGEIBCTM  Subs  Durs  Msgs  Size\n  "
        "orders.>  ---+------  0  0  0  0.0 Kb\n"
        "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n"
        f"* orders.new  {p.client()}:dur1  N  {p.user()}  0  0.0 Kb\n"
        f"Command: show consumers user={p.user()}\n  Id  Conn  User  T  Topic  Name  SAS "
        f" Sent\n  1  2  {p.user()}  T  orders.new    +--  0\n"
        "Command: show bridges\n  Source Name  Queue Targets  Topic Targets\nT "
        "orders.new  1  2\nCommand: exit\n",
    )
    yield (
        f"{folder}/alpha-config.txt",
        f"tcp://{p.user()}:{p.secret()}@{p.host()}:7222> show config\n  listen  "
        f"tcp://{p.host()}:7222\n"
        f"  ft_active  tcp://{p.user()}:{p.secret()}@{p.host()}:7222\n  ssl_password  "
        f"{p.secret()}\n",
    )
    yield (
        "json/tibemsd.json",
        json.dumps(
            {
                "tibemsd": {
                    "server": "BETA",
                    "password": p.secret(),
                    "routing": True,
                    "listens": [{"url": f"tcp://{p.user()}:{p.secret()}@{p.host()}:7222"}],
                    "ssl": {
                        "password": p.secret(),
                        "key": p.secret(),
                        "expected_hostname": p.host(),
                    },
                    "ldap": {
                        "url": f"ldap://{p.host()}",
                        "credential": p.secret(),
                        "principal": p.user(),
                    },
                    "strange": {"deep": [p.text()], "token": p.secret()},
                },
                "routes": [
                    {
                        "name": "ALPHA",
                        "url": f"tcp://{shared_host}:7222",
                        "zone_name": "Z",
                        "zone_type": "1hop",
                        "ssl": {"password": p.secret(), "identity": p.text()},
                        p.text(): p.text(),
                    }
                ],
                "topics": [
                    {"name": "orders", "global": True, "owner": p.user(), p.key(): p.text()}
                ],
                "users": [
                    {
                        "name": shared_user,
                        "password": p.secret(),
                        "description": p.text(),
                        "extra": p.secret(),
                    },
                    {"name": p.user()},
                ],
                "groups": [
                    {
                        "name": "clerks",
                        "description": p.text(),
                        "members": [p.user(), {"name": p.user()}],
                    }
                ],
                "acls": [
                    {
                        "type": "topic",
                        "name": "orders",
                        "user": p.user(),
                        "publish": True,
                        p.text(): p.text(),
                    }
                ],
                "durables": [
                    {"topic": "orders", "name": "audit", "clientid": shared_client, "x": p.text()}
                ],
                "factories": [
                    {
                        "name": "F",
                        "type": "topic",
                        "url": f"tcp://{p.host()}:7222",
                        "clientID": p.client(),
                        "ssl": {"password": p.secret(), "identity": p.text()},
                    }
                ],
                "stores": [
                    {"name": "s", "file": p.text(), "password": p.secret(), "owner": p.user()}
                ],
                "transports": [
                    {"name": "t", "daemon": p.host(), "password": p.secret(), "username": p.user()}
                ],
                "channels": [{"name": "c", "interface": p.host()}],
                p.text(): [{p.text(): p.secret()}],
            }
        ),
    )


def _amq(p: Planted) -> Iterator[tuple[str, str]]:
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


KEYS = (
    "pw", "ssl_pw", "rv_pass", "authPass", "psk", "storepass", "passphrase", "kennwort", "api-key",
    "Token",
    "zome", "strange", "pasword", "geheim", "auth", "bindCred", "license", "some.thing", "x_y",
    "Motdepasse",
)  # fmt: skip
"""Keys that files may have: some that say that a secret follows, some that nobody knows."""


def _keyed(p: Planted) -> Iterator[tuple[str, str]]:
    """Files of every kind with a secret under each of ``KEYS``, at every place where a key may
    stand.
    """

    def each(form: str, between: str = "\n") -> str:
        return between.join(form.format(key=key, value=p.secret()) for key in KEYS)

    def members() -> dict[str, object]:
        found: dict[str, object] = {key: p.secret() for key in KEYS}
        return {
            **found,
            "deep": {key: p.secret() for key in KEYS},
            "many": [p.secret(), {"zome": p.secret()}],
        }

    yield (
        "keyed/tibemsd.conf",
        "server = KEYED\nrouting = enabled\n"
        + "".join(
            f"{kind} = {kind}.conf\n"
            for kind in ("users", "groups", "topics", "queues", "routes", "bridges", "durables")
        )
        + "".join(
            f"{kind} = {kind}.conf\n"
            for kind in ("factories", "stores", "channels", "transports", "tibrvcm")
        )
        + "acl_list = acl.conf\n"
        + each("{key} = {value}\n{key}={value} tail\n{key} {value}\n{key}: {value}\n"),
    )
    yield "keyed/users.conf", each('{key}:{value}:"a user"')
    yield "keyed/groups.conf", 'clerks:"all of them"\n  u\n'
    for kind in ("topics", "queues"):
        yield (
            f"keyed/{kind}.conf",
            each(
                "name.{key} global,{key}={value}\nother.{key} "
                "{key}={value},secure\na*.{key} {key}={value}"
            ),
        )
    yield (
        "keyed/routes.conf",
        each(
            "[R{key}]\n url=tcp://h:1 {key}={value} zone_name=Z\n {key} = {value}\n "
            "{key} = {value} rest\n zone_type=1hop {key}={value}"
        ),
    )
    yield (
        "keyed/bridges.conf",
        each("[topic:a.{key}]\n queue=q {key}={value}\n {key}={value} topic=t\n {key} = {value}"),
    )
    yield (
        "keyed/durables.conf",
        each("t.{key} d {key}={value}\nu.{key} d clientid=c,{key}={value},nolocal"),
    )
    yield (
        "keyed/acl.conf",
        each(
            "TOPIC=t USER=u PERM=publish {key}={value}\n{key}={value} TOPIC=t USER=u "
            "PERM=publish\n{key}={value}"
        ),
    )
    for kind in ("factories", "stores", "channels", "transports"):
        yield (
            f"keyed/{kind}.conf",
            each("[S{key}]\n type=x\n {key} = {value}\n {key}={value} rest\n {key} {value}"),
        )
    yield "keyed/tibrvcm.conf", each("RV {key}={value} sub.ject more")
    arrays = (
        "routes",
        "topics",
        "queues",
        "bridges",
        "durables",
        "acls",
        "users",
        "groups",
        "factories",
        "stores",
        "channels",
        "transports",
    )
    element = {
        "name": "n",
        "url": "tcp://h:1",
        "topic": "t",
        "type": "topic",
        "user": "u",
        "publish": True,
    }
    ends = {"source": {"type": "topic", "name": "a"}, "targets": [{"type": "queue", "name": "b"}]}
    yield (
        "keyed-json/tibemsd.json",
        json.dumps(
            {
                "tibemsd": {"server": "KEYEDJSON", "routing": True, **members()},
                **{
                    kind: [{**element, **(ends if kind == "bridges" else {}), **members()}]
                    for kind in arrays
                },
                **members(),
            }
        ),
    )
    lines = "    {key}: {value}\n    {key} = {value}\n    {key}:{value}"
    sections = (
        "listener",
        "connector",
        "address",
        "linkRoute",
        "autoLink",
        "sslProfile",
        "vhost",
        "log",
        "policy",
        "exchange",
        "nothing",
    )
    yield (
        "keyed-router/keyed.conf",
        f"router {{\n    mode: interior\n    id: KEYEDROUTER\n{each(lines)}\n}}\n"
        + "".join(
            f"{section} {{\n    name: {section}1\n{each(lines)}\n}}\n" for section in sections
        )
        + each("{key}: {value}")
        + "\nconnector {\n    host: h\n    port: 1\n    openProperties: {\n"
        + each('        "{key}": "{value}",')
        + '\n        "a": 1\n    }\n}\n',
    )
    types = (
        "router",
        "connector",
        "listener",
        "connection",
        "router.node",
        "router.address",
        "router.link",
        "nothing",
    )
    prefix = "org.apache.qpid.dispatch."
    own = {"type": f"{prefix}router", "id": "KEYEDDUMP", "mode": "interior"}
    yield (
        "keyed-router/dump.json",
        json.dumps(
            [
                {**own, **members()},
                *({"type": f"{prefix}{type_}", "identity": type_, **members()} for type_ in types),
            ]
        ),
    )
    yield (
        "keyed-router/two.json",
        json.dumps(
            [
                ["router", {"mode": "interior", "id": "KEYEDTWO", **members()}],
                *([section, members()] for section in sections),
            ]
        ),
    )


def _sibus(p: Planted) -> Iterator[tuple[str, str]]:
    """The same bus as documents of a cell, as scripts and as output, and a server of Liberty."""
    xmi = (
        'xmlns:xmi="http://www.omg.org/XMI" '
        'xmlns:sibresources="http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi"'
    )
    yield (
        "cell/cells/c/buses/LAMBDA/sib-destinations.xml",
        f"""<xmi:XMI {xmi}>
<sibresources:SIBQueue identifier="Q" description="{p.text()}" password="{p.secret()}" {p.key()}="{p.text()}">
<defaultForwardRoutingPath bus="LAMBDA" destination="Q2"/></sibresources:SIBQueue>
<sibresources:SIBQueue identifier="Q2"/>
</xmi:XMI>
""",  # noqa: E501
    )
    yield (
        "cell/cells/c/buses/LAMBDA/sib-bus.xml",
        f"""<sibresources:SIBus {xmi} name="LAMBDA" interEngineAuthAlias="{p.secret()}" description="{p.text()}">
<foreignBus name="MU"><virtualLink xmi:type="sibresources:SIBVirtualMQLink" uuid="1" outboundUserid="{p.user()}">
<linkRef authAlias="{p.secret()}" password="{p.secret()}"/></virtualLink></foreignBus></sibresources:SIBus>
""",  # noqa: E501
    )
    yield (
        "cell/cells/c/nodes/n/servers/s/sib-engines.xml",
        f"""<xmi:XMI {xmi}><sibresources:SIBMessagingEngine name="n.s-LAMBDA" busName="LAMBDA">
<dataStore authAlias="{p.secret()}"/><mqLink name="l" targetUuid="1" qmName="V"><senderChannel senderChannelName="S.R"
 hostName="{p.host()}" port="1414" connameList="{p.host()}(1414)"/></mqLink></sibresources:SIBMessagingEngine></xmi:XMI>
""",  # noqa: E501
    )
    yield (
        "scripts/bus.py",
        f"""AdminTask.createSIBus('[-bus NU -interEngineAuthAlias {p.secret()} -description {p.text()}]')
AdminTask.createSIBDestination('[-bus NU -name Q -type Queue -password {p.secret()} -{p.key()} {p.text()}]')
AdminTask.createSIBForeignBus('[-bus NU -name XI -routingType Direct -type MQ -inboundUserid {p.user()} -outboundUserid {p.user()}]')
AdminTask.createSIBMQLink('[-bus NU -messagingEngine m -name l -foreignBusName XI -queueManagerName V -hostName {p.host()}]')
secret = '{p.secret()}'
AdminTask.createSIBNews('[-bus NU -password ' + secret + ' -pw {p.secret()}]')
""",  # noqa: E501
    )
    yield (
        "scripts/bus.jacl",
        f"$AdminTask createSIBDestination {{-bus OMICRON -name Q -type Queue -password "
        f"{p.secret()} -description {p.text()}}}\n"
        f"$AdminTask createSIBLink {{-bus OMICRON -name l -foreignBusName NU "
        f"-bootstrapEndpoints {p.host()}:7276:BootstrapBasicMessaging}}\n",
    )
    yield (
        "scripts/session.txt",
        f"wsadmin>$AdminTask showSIBDestination {{-bus LAMBDA -name Q}}\n{{identifier=Q, "
        "exceptionDestination=BAD, maxFailedDeliveries=5, "
        f"description={p.text()}, password={p.secret()}}}\n",
    )
    yield (
        "servers/pi/server.xml",
        f"""<server><variable name="pw" value="{p.secret()}"/><messagingEngine>
<queue id="Q" password="${{pw}}" trustPassword="{p.secret()}" {p.key()}="{p.text()}"/></messagingEngine>
<jmsConnectionFactory><properties.wasJms userName="{p.text()}" password="{p.secret()}"/></jmsConnectionFactory></server>
""",  # noqa: E501
    )


def _ibm_mq(p: Planted) -> Iterator[tuple[str, str]]:
    host, user = p.host(), p.user()
    yield (
        f"mq/{host}/{user}/QMALPHA.mqsc",
        f"""* Queue manager name: QMALPHA
ALTER QMGR DEADQ(QMDLQ) KEYRPWD('{p.secret()}') SSLCRYP('GSK_PKCS11=/x;t;{p.secret()};') DESCR('{p.text()}') SSLKEYR('/{p.text()}')
DEFINE QLOCAL(QMDLQ) DESCR('password={p.secret()}') CUSTOM('{p.text()}') PASSWRD('{p.secret()}') NONSENSE('{p.text()}')
DEFINE QLOCAL(QMBETA) USAGE(XMITQ)
DEFINE QREMOTE(QMR) RNAME(QMX) RQMNAME(QMBETA)
DEFINE CHANNEL(QMA.QMB) CHLTYPE(SDR) CONNAME('{host}(1414),{p.host()} (1415)') XMITQ(QMBETA) USERID('{user}') PASSWORD('{p.secret()}') +
  LOCLADDR('{p.host()}') MCAUSER('{p.user()}') SSLPEER('CN={p.text()}') SCYEXIT('/{p.text()}') SCYDATA('{p.text()}')
DEFINE LISTENER(QML) TRPTYPE(TCP) PORT(1414) IPADDR('{p.host()}')
DEFINE SERVICE(QMS) STARTCMD('/{p.text()}') STARTARG('-p {p.text()}')
DEFINE AUTHINFO(QMI) AUTHTYPE(IDPWLDAP) CONNAME('{p.host()}(389)') LDAPUSER('{p.user()}') LDAPPWD('{p.secret()}') BASEDNU('{p.text()}')
SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('{p.user()}','{p.user()}')
SET CHLAUTH('QMA.*') TYPE(ADDRESSMAP) ADDRESS('{p.host()}') MCAUSER('{p.user()}')
SET AUTHREC PROFILE(QMDLQ) OBJTYPE(QUEUE) PRINCIPAL('{p.user()}') AUTHADD(PUT)
LDAPPWD('{p.secret()}')
a line {p.text()} that is nothing
DEFINE AUTHINFO(QMJ) AUTHTYPE(IDPWLDAP) LDAPPWD('{p.secret()}
""",  # noqa: E501
    )
    yield (
        "mq/QMBETA.txt",
        f"""Starting MQSC for queue manager QMBETA.
AMQ8408I: Display Queue Manager details.
   QMNAME(QMBETA)                          DEADQ( )
   DESCR({p.text()})
AMQ8414I: Display Channel details.
   CHANNEL(QMA.QMB)                        CHLTYPE(RCVR)
   MCAUSER({p.user()})
AMQ8417I: Display Channel Status details.
   CHANNEL(QMA.QMB)                        CHLTYPE(RCVR)
   CONNAME({p.host()})                     RAPPLTAG({p.text()})
   STATUS(RUNNING)                         SUBSTATE(RECEIVE)
""",
    )
    yield (
        "mq/run.sh",
        f"""PW={p.secret()}
runmqsc QMGAMMA <<EOF
DEFINE AUTHINFO(QMI) AUTHTYPE(IDPWLDAP) LDAPPWD('$PW')
DEFINE CHANNEL(QMC) CHLTYPE(SDR) CONNAME('{p.host()}') PASSWORD({p.secret()})
EOF
""",
    )
    yield (
        "mq/cm.yaml",
        f"""kind: ConfigMap
metadata: {{name: QMDELTA}}
data:
  QMDELTA.mqsc: |
    ALTER QMGR SSLKEYR('/{p.text()}') KEYRPWD('{p.secret()}')
    DEFINE QLOCAL(QMQ)
  qm.ini: |
    SSL:
      KeyRepositoryPassword={p.secret()}
      SSLSetting={p.text()}
""",
    )
    command = f"DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD('{p.secret()}')"
    yield "mq/rest.json", json.dumps({"type": "runCommand", "parameters": {"command": command}})


def _mqe(p: Planted) -> Iterator[tuple[str, str]]:
    yield (
        "mqe/devices.yaml",
        f"""kind: mqe
queueManager: GATE
codebase: java
listeners:
- {{name: L, adapter: {p.text()}, address: {p.host()}, port: 8081}}
connections:
- {{name: DEVICE, type: direct, address: {p.host()}, port: 8081, adapter: {p.text()}, channel: {p.text()}}}
- {{name: DEPOT, type: direct, address: "{p.host()}", password: {p.secret()}, {p.key()}: {p.text()}}}
queues:
- {{type: local, name: Q, description: {p.text()}, path: /data/{p.text()}, authenticator: {p.text()}}}
- {{type: saf, name: S, qmgrs: [DEVICE]}}
---
kind: mqe
queueManager: DEVICE
description: {p.text()}
connections:
- {{name: GATE, type: direct, address: {p.host()}}}
queues:
- {{type: home, name: S, homeServer: GATE, timer: 0}}
- {{type: local, name: Q}}
""",  # noqa: E501
    )


def _others(p: Planted) -> Iterator[tuple[str, str]]:
    yield (
        "topograph.yaml",
        f"""hosts:
  {p.host()}: ALPHA
  "{p.host()}:7222": BETA
  {p.host()}: {{password: {p.secret()}}}
paths:
  /opt/{p.text()}: json
clients:
  - server: ALPHA
    destination: topic:orders
    client_id: {p.client()}
    user: {p.user()}
  - {{server: BETA, destination: nonsense-{p.text()}, user: {p.user()}, password: {p.secret()}}}
{p.text()}: {p.text()}
""",
    )
    yield "notes/notes.txt", f"password {p.secret()} for {p.user()} at {p.host()}\n"
    yield (
        "stray/routes.conf",
        f"[DELTA]\n url = tcp://{p.host()}:7222\n ssl_password = {p.secret()}\n",
    )
    yield (
        "broken/tibemsd.conf",
        (
            f"server = EPSILON\nrouting = enabled\nlisten = tcp://{p.host()}:7222\nusers = "
            "users.conf\n"
        ),
    )
    yield "broken/users.conf", f"\u201c{p.user()}\u201d:{p.secret()}:\n{p.user()}\n"


def _archives(p: Planted, root: Path) -> None:
    """Servers in archives, inside folders that are called after hosts and users."""
    for number, kind in enumerate(("zip", "tar.gz")):
        host, user = p.host(), p.user()
        name = f"{host}/{user}/tibemsd.conf"
        content = (
            f"server = Z{number}\nlisten = tcp://{host}:7222\nuser_name = {user}\npassword = "
            f"{p.secret()}\n"
        ).encode()
        refused = f"../{host}/{user}"
        path = root / f"{host}.{kind}"
        if kind == "zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr(name, content)
                archive.writestr(refused, b"x")
            continue
        with tarfile.open(path, "w:gz") as packed:
            for member, data in ((name, content), (refused, b"x")):
                entry = tarfile.TarInfo(member)
                entry.size = len(data)
                packed.addfile(entry, io.BytesIO(data))
