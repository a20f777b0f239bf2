"""Drawn definitions of RabbitMQ, and scripts that change them: each command as lines of a shell,
and as an edit of the JSON by a few lines that know the documentation alone.
"""

from __future__ import annotations

import json
import shlex
from random import Random
from typing import Any, NamedTuple

Entry = dict[str, Any]
Definitions = dict[str, Any]

VHOSTS = ("/", "prod", "neu")
EXCHANGES = ("orders", "dlx", "temp", "all")
QUEUES = ("q1", "q2", "work")
USERS = ("ann", "bob")
KEYS = ("a", "a.b", "#", "")
TYPES = ("direct", "topic", "fanout", "headers")
PATTERNS = ("^q", "work", ".*")
ARGUMENTS: tuple[Entry, ...] = ({}, {}, {"x-message-ttl": 60000}, {"x-max-length": 5})
BOUND: tuple[Entry, ...] = ({}, {}, {"x-match": "any", "tier": 1})
SETTINGS: tuple[Entry, ...] = (
    {"max-length": 10},
    {"dead-letter-exchange": "dlx"},
    {"message-ttl": 1000, "max-length": 3},
)
SHOVEL: Entry = {"src-uri": "amqp://", "src-queue": "q1", "dest-uri": "amqp://", "dest-queue": "q2"}
UPSTREAM: Entry = {"uri": "amqp://127.0.0.1:1", "max-hops": 2}


class Refused(Exception):
    """The broker refuses the command."""


class Drawn(NamedTuple):
    """A command: its lines, and whether the broker takes it."""

    lines: str
    taken: bool


def definitions(random: Random) -> Definitions:
    """A state, made by the commands that change it."""
    found: Definitions = {
        "rabbit_version": "3.10.8",
        "users": [{"name": "guest", "tags": ["administrator"], "password_hash": "eHh4eHh4eHg="}],
        "vhosts": [{"name": "/"}, {"name": "prod"}],
        "permissions": [_all("guest", "/"), _all("guest", "prod")],
        "topic_permissions": [],
        "parameters": [],
        "global_parameters": [{"name": "cluster_name", "value": "recorded"}],
        "policies": [],
        "queues": [],
        "exchanges": [],
        "bindings": [],
    }
    for _ in range(random.randint(5, 40)):
        command(random, found)
    return found


def command(random: Random, held: Definitions) -> Drawn:
    """A command, and what it does to ``held``."""
    kind = random.choice(
        [_exchange, _exchange, _queue, _queue, _binding, _binding, _binding, _policy, _policy,
         _parameter, _vhost, _user, _right, _unmade, _unmade, _imported, _nothing]
    )  # fmt: skip
    before = json.dumps(held)
    lines, edit = kind(random, held)
    try:
        edit()
    except Refused:
        held.clear()
        held.update(json.loads(before))
        return Drawn(lines, False)
    return Drawn(lines, True)


def _all(user: str, vhost: str) -> Entry:
    return {"user": user, "vhost": vhost, "configure": ".*", "write": ".*", "read": ".*"}


def _same(entry: Entry, **fields: Any) -> bool:
    return all(entry.get(name) == value for name, value in fields.items())


def _there(held: Definitions, section: str, **fields: Any) -> list[Entry]:
    return [one for one in held[section] if _same(one, **fields)]


def _drop(held: Definitions, section: str, **fields: Any) -> None:
    held[section] = [one for one in held[section] if not _same(one, **fields)]


def _need(found: object) -> None:
    if not found:
        raise Refused


def _vhost_there(held: Definitions, vhost: str) -> None:
    _need(_there(held, "vhosts", name=vhost))


def _allowed(held: Definitions, vhost: str) -> None:
    """The management API: guest has to have permissions."""
    _vhost_there(held, vhost)
    _need(_there(held, "permissions", user="guest", vhost=vhost))


def _some_vhost(random: Random) -> str:
    return random.choice(("/", "/", "prod", "prod", "neu"))


def _request(random: Random, method: str, path: str, body: object = None) -> str:
    """A request by curl, written in one of several ways."""
    url = f"http://localhost:15672/api/{path}"
    said = random.choice((f"-X {method}", f"-X{method}", f"--request {method}"))
    line = f"curl -fsS -u guest:guest {said} {url}"
    if body is None:
        return line
    text = json.dumps(body)
    if random.random() < 0.3:
        return f"{line} -H 'content-type: application/json' -d @- <<'END'\n{text}\nEND"
    return f"{line} -H 'content-type: application/json' -d {shlex.quote(text)}"


def _part(text: str) -> str:
    return text.replace("/", "%2F").replace("#", "%23")


def _admin(vhost: str, words: str) -> str:
    return f"rabbitmqadmin -q -V {vhost} {words}" if vhost != "/" else f"rabbitmqadmin {words}"


def _control(random: Random, vhost: str, words: str) -> str:
    option = random.choice(("-p", "--vhost"))
    return f"rabbitmqctl -q {option} {vhost} {words}" if vhost != "/" else f"rabbitmqctl {words}"


def _exchange(random: Random, held: Definitions) -> tuple[str, Any]:
    name, vhost, type_ = random.choice(EXCHANGES), _some_vhost(random), random.choice(TYPES)
    goes, arguments = random.random() < 0.3, random.choice(({}, {"alternate-exchange": "all"}))
    entry = {"name": name, "vhost": vhost, "type": type_, "durable": True, "auto_delete": goes,
             "internal": False, "arguments": arguments}  # fmt: skip

    def edit() -> None:
        _allowed(held, vhost)
        _declare(held, "exchanges", entry)

    given = shlex.quote(json.dumps(arguments))
    if random.random() < 0.5:
        more = f" auto_delete={str(goes).lower()}" if goes else ""
        words = f"declare exchange name={name} type={type_}{more} arguments={given}"
        return _admin(vhost, words), edit
    body = {key: entry[key] for key in ("type", "durable", "auto_delete", "arguments")}
    return _request(random, "PUT", f"exchanges/{_part(vhost)}/{name}", body), edit


def _declare(held: Definitions, section: str, entry: Entry) -> None:
    there = _there(held, section, name=entry["name"], vhost=entry["vhost"])
    if not there:
        held[section].append(entry)
    elif {**there[0], "type": 0} != {**entry, "type": 0} or (
        section == "exchanges" and there[0]["type"] != entry["type"]
    ):
        raise Refused


def _queue(random: Random, held: Definitions) -> tuple[str, Any]:
    name, vhost, arguments = random.choice(QUEUES), _some_vhost(random), random.choice(ARGUMENTS)
    durable = random.random() < 0.8
    if durable and random.random() < 0.2:
        arguments = {**arguments, "x-queue-type": "quorum"}

    def edit() -> None:
        _allowed(held, vhost)
        whole = dict(arguments)
        type_ = _there(held, "vhosts", name=vhost)[0].get("default_queue_type")
        if type_ and durable:
            whole.setdefault("x-queue-type", type_)
        entry = {"name": name, "vhost": vhost, "durable": durable, "auto_delete": False,
                 "arguments": whole}  # fmt: skip
        _declare(held, "queues", entry)

    given = shlex.quote(json.dumps(arguments))
    if random.random() < 0.5:
        more = "" if durable else " durable=false"
        return _admin(vhost, f"declare queue name={name}{more} arguments={given}"), edit
    body = {"durable": durable, "arguments": arguments}
    return _request(random, "PUT", f"queues/{_part(vhost)}/{name}", body), edit


def _binding(random: Random, held: Definitions) -> tuple[str, Any]:
    source, vhost, key = random.choice(EXCHANGES), _some_vhost(random), random.choice(KEYS)
    to_type = random.choice(("queue", "queue", "exchange"))
    to = random.choice(QUEUES if to_type == "queue" else EXCHANGES)
    arguments = random.choice(BOUND)
    entry = {"source": source, "vhost": vhost, "destination": to, "destination_type": to_type,
             "routing_key": key, "arguments": arguments}  # fmt: skip
    url = f"bindings/{_part(vhost)}/e/{source}/{to_type[0]}/{to}"
    if random.random() < 0.3:
        wanted = {**entry, "arguments": {}}

        def undone() -> None:
            _allowed(held, vhost)
            _need(_there(held, "bindings", **wanted))
            _unbind(held, _there(held, "bindings", **wanted))

        if random.random() < 0.5:
            named = f"source={source} destination_type={to_type} destination={to}"
            words = f"delete binding {named} properties_key={shlex.quote(key) or '~'}"
            return _admin(vhost, words if key else words.replace("''", "'~'")), undone
        return _request(random, "DELETE", f"{url}/{_part(key) or '~'}"), undone

    def edit() -> None:
        _allowed(held, vhost)
        section = "queues" if to_type == "queue" else "exchanges"
        _need(_there(held, "exchanges", name=source, vhost=vhost))
        _need(_there(held, section, name=to, vhost=vhost))
        if not _there(held, "bindings", **entry):
            held["bindings"].append(entry)

    if random.random() < 0.5:
        given = shlex.quote(json.dumps(arguments))
        named = f"source={source} destination_type={to_type} destination={to}"
        words = f"declare binding {named} routing_key={shlex.quote(key)} arguments={given}"
        return _admin(vhost, words), edit
    body = {"routing_key": key, "arguments": arguments}
    return _request(random, "POST", url, body), edit


def _unbind(held: Definitions, gone: list[Entry]) -> None:
    """Bindings go, and an exchange that deletes itself with the last one out of it."""
    held["bindings"] = [one for one in held["bindings"] if one not in gone]
    for one in gone:
        vhost, name = one["vhost"], one["source"]
        for exchange in _there(held, "exchanges", name=name, vhost=vhost, auto_delete=True):
            if not _there(held, "bindings", source=name, vhost=vhost):
                _delete_exchange(held, exchange)


def _delete_exchange(held: Definitions, exchange: Entry) -> None:
    vhost, name = exchange["vhost"], exchange["name"]
    held["exchanges"].remove(exchange)
    to = {"destination_type": "exchange", "destination": name}
    out = _there(held, "bindings", source=name, vhost=vhost)
    _unbind(held, [*out, *_there(held, "bindings", vhost=vhost, **to)])


def _policy(random: Random, held: Definitions) -> tuple[str, Any]:
    name, vhost = random.choice(("p", "p2")), _some_vhost(random)
    operator, ctl = random.random() < 0.3, random.random() < 0.5
    what, path = ("operator_policy", "operator-policies") if operator else ("policy", "policies")

    def kept() -> None:
        if operator:
            _drop(held, "parameters", component="operator_policy", name=name, vhost=vhost)
        else:
            _drop(held, "policies", name=name, vhost=vhost)

    def checked() -> None:
        (_vhost_there if ctl else _allowed)(held, vhost)

    if random.random() < 0.3:

        def cleared() -> None:
            checked()
            own = {"name": name, "vhost": vhost}
            _need(
                _there(held, "parameters", component="operator_policy", **own)
                if operator
                else _there(held, "policies", **own)
            )
            kept()

        if ctl:
            return _control(random, vhost, f"clear_{what} {name}"), cleared
        return _request(random, "DELETE", f"{path}/{_part(vhost)}/{name}"), cleared
    pattern, priority = random.choice(PATTERNS), random.randint(0, 2)
    apply_to = random.choice(("all", "queues", "exchanges"))
    definition = {"max-length": 9} if operator else random.choice(SETTINGS)
    if operator:
        apply_to = "queues"
    value = {"pattern": pattern, "definition": definition, "priority": priority,
             "apply-to": apply_to}  # fmt: skip

    def edit() -> None:
        checked()
        kept()
        own = {"name": name, "vhost": vhost}
        if operator:
            held["parameters"].append({"component": "operator_policy", **own, "value": value})
        else:
            held["policies"].append({**own, **value})

    given = shlex.quote(json.dumps(definition))
    if ctl:
        words = f"set_{what} --priority {priority} --apply-to {apply_to} {name} '{pattern}' {given}"
        return _control(random, vhost, words), edit
    if random.random() < 0.5:
        words = (
            f"declare {what} name={name} pattern='{pattern}' definition={given} "
            f"priority={priority} apply-to={apply_to}"
        )
        return _admin(vhost, words), edit
    return _request(random, "PUT", f"{path}/{_part(vhost)}/{name}", value), edit


def _parameter(random: Random, held: Definitions) -> tuple[str, Any]:
    component = random.choice(("federation-upstream", "federation-upstream-set"))
    name, vhost, ctl = random.choice(("one", "two")), _some_vhost(random), random.random() < 0.5
    value: Any = UPSTREAM if component == "federation-upstream" else [{"upstream": "one"}]
    own = {"component": component, "vhost": vhost, "name": name}
    clears = random.random() < 0.3

    def edit() -> None:
        (_vhost_there if ctl else _allowed)(held, vhost)
        if clears:
            _need(_there(held, "parameters", **own))
        _drop(held, "parameters", **own)
        if not clears:
            held["parameters"].append({**own, "value": value})

    given = shlex.quote(json.dumps(value))
    if ctl and clears:
        return _control(random, vhost, f"clear_parameter {component} {name}"), edit
    if ctl:
        return _control(random, vhost, f"set_parameter {component} {name} {given}"), edit
    path = f"parameters/{component}/{_part(vhost)}/{name}"
    if clears:
        return _request(random, "DELETE", path), edit
    if random.random() < 0.5:
        words = f"declare parameter component={component} name={name} value={given}"
        return _admin(vhost, words), edit
    return _request(random, "PUT", path, {"value": value}), edit


def _vhost(random: Random, held: Definitions) -> tuple[str, Any]:
    way = random.choice(("ctl", "type", "admin", "curl", "gone", "gone by curl"))
    name = "neu" if way.startswith("gone") else random.choice(("neu", "neu", "prod"))

    def edit() -> None:
        there = _there(held, "vhosts", name=name)
        if way.startswith("gone"):
            _need(there)
            held["vhosts"].remove(there[0])
            for section in ("permissions", "topic_permissions", "parameters", "policies",
                            "queues", "exchanges", "bindings"):  # fmt: skip
                _drop(held, section, vhost=name)
            return
        if there:
            return
        more = {"default_queue_type": "quorum"} if way == "type" else {}
        held["vhosts"].append({"name": name, **more})
        if way in ("admin", "curl"):
            held["permissions"].append(_all("guest", name))

    line = {
        "ctl": f"rabbitmqctl add_vhost {name}",
        "type": f"rabbitmqctl add_vhost {name} --default-queue-type quorum",
        "admin": f"rabbitmqadmin declare vhost name={name}",
        "curl": _request(random, "PUT", f"vhosts/{name}"),
        "gone": f"rabbitmqctl delete_vhost {name}",
        "gone by curl": _request(random, "DELETE", f"vhosts/{name}"),
    }[way]
    return line, edit


def _user(random: Random, held: Definitions) -> tuple[str, Any]:
    name = random.choice(USERS)
    way = random.choice(("add", "add", "delete", "tags", "password", "curl", "admin"))

    def edit() -> None:
        there = _there(held, "users", name=name)
        if way == "add" and there:
            raise Refused
        if way in ("delete", "tags", "password"):
            _need(there)
        if way == "tags":
            there[0]["tags"] = ["management", "policymaker"]
        if way in ("add", "curl", "admin", "delete"):
            _drop(held, "users", name=name)
        if way == "delete":
            _drop(held, "permissions", user=name)
            _drop(held, "topic_permissions", user=name)
        elif way in ("add", "curl", "admin"):
            tags = [] if way == "add" else ["monitoring"]
            held["users"].append({"name": name, "tags": tags, "password_hash": "eHh4eHh4eHg="})

    line = {
        "add": f"rabbitmqctl add_user {name} s3cr3t",
        "delete": f"rabbitmqctl delete_user {name}",
        "tags": f"rabbitmqctl set_user_tags {name} management policymaker",
        "password": f"rabbitmqctl change_password {name} an0ther",
        "curl": _request(random, "PUT", f"users/{name}", {"password": "x", "tags": "monitoring"}),
        "admin": f"rabbitmqadmin declare user name={name} password=s3cr3t tags=monitoring",
    }[way]
    return line, edit


def _right(random: Random, held: Definitions) -> tuple[str, Any]:
    user, vhost = random.choice(USERS), _some_vhost(random)
    write = random.choice(("^orders$", ".*", ""))
    way = random.choice(("set", "set", "admin", "topic", "clear", "clear topic"))
    own = {"user": user, "vhost": vhost}

    def edit() -> None:
        _vhost_there(held, vhost)
        _need(_there(held, "users", name=user))
        section = "topic_permissions" if "topic" in way else "permissions"
        more = {"exchange": "orders"} if way == "topic" else {}
        _drop(held, section, **own, **more)
        if way == "topic":
            held[section].append({**own, **more, "write": write, "read": ".*"})
        elif way in ("set", "admin"):
            held[section].append({**own, "configure": ".*", "write": write, "read": ".*"})

    given = shlex.quote(write)
    if way == "admin":
        words = f"vhost={vhost} user={user} configure=.* write={given} read=.*"
        return f"rabbitmqadmin declare permission {words}", edit
    words = {
        "set": f"set_permissions {user} '.*' {given} '.*'",
        "topic": f"set_topic_permissions {user} orders {given} '.*'",
        "clear": f"clear_permissions {user}",
        "clear topic": f"clear_topic_permissions {user}",
    }[way]
    return _control(random, vhost, words), edit


def _unmade(random: Random, held: Definitions) -> tuple[str, Any]:
    """An exchange or queue that is deleted."""
    kind = random.choice(("exchange", "queue"))
    name, vhost = random.choice(EXCHANGES if kind == "exchange" else QUEUES), _some_vhost(random)
    ctl = kind == "queue" and random.random() < 0.3

    def edit() -> None:
        (_vhost_there if ctl else _allowed)(held, vhost)
        there = _there(held, f"{kind}s", name=name, vhost=vhost)
        _need(there)
        if kind == "exchange":
            _delete_exchange(held, there[0])
            return
        held["queues"].remove(there[0])
        to = {"destination_type": "queue", "destination": name}
        _unbind(held, _there(held, "bindings", vhost=vhost, **to))

    if ctl:
        return _control(random, vhost, f"delete_queue {name}"), edit
    if random.random() < 0.5:
        return _admin(vhost, f"delete {kind} name={name}"), edit
    return _request(random, "DELETE", f"{kind}s/{_part(vhost)}/{name}"), edit


def _imported(random: Random, held: Definitions) -> tuple[str, Any]:
    """An import of a queue and an exchange, a binding between them and a policy."""
    exchange, queue = random.choice(EXCHANGES), random.choice(QUEUES)
    vhost = random.choice(("/", "prod"))
    own = {"vhost": vhost, "durable": True, "auto_delete": False}
    made: Definitions = {
        "queues": [{**own, "name": queue, "arguments": {}}],
        "exchanges": [
            {**own, "name": exchange, "type": "topic", "internal": False, "arguments": {}}
        ],
        "bindings": [{"vhost": vhost, "source": exchange, "destination": queue,
                      "destination_type": "queue", "routing_key": "new", "arguments": {}}],
        "policies": [{"vhost": vhost, "name": "p", "pattern": "new", "apply-to": "queues",
                      "priority": 1, "definition": {"max-length": 2}}],
    }  # fmt: skip

    def edit() -> None:
        for section in ("queues", "exchanges"):
            (entry,) = made[section]
            if not _there(held, section, name=entry["name"], vhost=vhost):
                held[section].append(entry)
        if not _there(held, "bindings", **made["bindings"][0]):
            held["bindings"] += made["bindings"]
        _drop(held, "policies", vhost=vhost, name="p")
        held["policies"] += made["policies"]

    text = json.dumps(made, indent=1)
    way = random.choice(("ctl", "admin", "curl"))
    if way == "curl":
        return _request(random, "POST", "definitions", made), edit
    run = "rabbitmqctl import_definitions" if way == "ctl" else "rabbitmqadmin import"
    return f"cat > new.json <<'END'\n{text}\nEND\n{run} new.json", edit


def _nothing(random: Random, held: Definitions) -> tuple[str, Any]:
    """What changes nothing."""
    line = random.choice(
        (
            "rabbitmqctl list_queues name messages",
            "rabbitmqadmin list exchanges",
            "curl -s -u guest:guest http://localhost:15672/api/overview > overview.json",
            "rabbitmqctl set_vhost_limits -p / '{\"max-queues\": 500}'",
        )
    )
    return line, lambda: None
