"""Files of every kind with secrets under many keys."""

from __future__ import annotations

import json
from collections.abc import Iterator

from redaction.planting.words import Planted

KEYS = (
    "pw", "ssl_pw", "rv_pass", "authPass", "psk", "storepass", "passphrase", "kennwort", "api-key",
    "Token",
    "zome", "strange", "pasword", "geheim", "auth", "bindCred", "license", "some.thing", "x_y",
    "Motdepasse",
)  # fmt: skip
"""Keys that files may have: some that say that a secret follows, some that nobody knows."""


def keyed(p: Planted) -> Iterator[tuple[str, str]]:
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
