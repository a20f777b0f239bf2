"""Files of TIBCO EMS."""

from __future__ import annotations

import json
from collections.abc import Iterator

from redaction.planting.words import Planted


def ems(p: Planted) -> Iterator[tuple[str, str]]:
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
