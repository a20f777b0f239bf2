"""A second reading of what commands of wsadmin do (sibus.md A1, A4.2), over plain dictionaries; and
buses and scripts as text.

Knows nothing of topograph. A command is a name and its options; each does something to the bus
(``done``), is refused, or leaves in doubt whether the product takes it. Then it is done all the
same.
"""

from __future__ import annotations

from typing import Any

Options = dict[str, Any]
"""Option to text, or to a list of rows."""

Command = tuple[str, Options]

BusText = dict[str, Any]


def new_bus(name: str) -> BusText:
    """A bus with nothing in it."""
    return {
        "name": name,
        "options": {},
        "members": [],
        "engines": {},
        "destinations": {},
        "mediations": {},
        "mediated": {},
        "foreign": {},
        "links": {},
    }


_PLACE = ("cluster", "node", "server")
_OF_ALIASES = ("aliasBus", "targetBus", "targetName")
_SECURITY = ("secure", "securityEnabled", "busSecurity")


def place_of(options: Options) -> str:
    """The member that options name; empty for none."""
    return options.get("cluster") or ".".join(
        options[one] for one in ("node", "server") if one in options
    )


def do(bus: BusText, command: Command) -> str:
    """Give a command to a bus, which it changes: ``done``, ``refused`` (nothing changes) or
    ``doubt``.
    """
    name, options = command
    mine = {
        key: value
        for key, value in options.items()
        if key not in ("bus", "name", "nameList", "mediationName")
    }
    what = options.get("name", options.get("mediationName", ""))
    about = name.removeprefix("create").removeprefix("modify").removeprefix("delete")
    if name == "modifySIBus":
        if any(one in options for one in _SECURITY):
            for one in _SECURITY:
                bus["options"].pop(one, None)
        bus["options"] |= mine
        return "done"
    if name in ("addSIBusMember", "createSIBEngine"):
        place = place_of(options)
        if (name == "addSIBusMember") == (place in bus["members"]):
            return "refused"
        if name == "addSIBusMember":
            bus["members"].append(place)
        elif "cluster" not in options:
            return "refused"
        count = bus["engines"].get(place, 0)
        bus["engines"][place] = count + 1
        return "done"
    if about in ("SIBDestination", "SIBDestinations"):
        return _destinations(bus, name, options, mine)
    if about == "SIBMediation":
        table = bus["mediations"]
        if (what in table) == name.startswith("create"):
            return "refused"
        if name.startswith("delete"):
            del table[what]
            return "doubt" if what in bus["mediated"].values() else "done"
        table[what] = {**table.get(what, {}), **mine}
        return "done"
    if name in ("mediateSIBDestination", "unmediateSIBDestination"):
        return _mediate(bus, name, options)
    if about == "SIBForeignBus":
        return _foreign(bus, name, what, mine)
    return _link(bus, name, what, mine)


def _destinations(bus: BusText, name: str, options: Options, mine: Options) -> str:
    table = bus["destinations"]
    names = options.get("nameList") or [options["name"]]
    creates = name.startswith("create")
    if any((one in table) == creates for one in names):
        return "refused"
    if name.startswith("delete"):
        for one in names:
            del table[one]
            bus["mediated"].pop(one, None)
        return "done"
    place = place_of(options)
    placed = [place_of(one) for one in table.values()]
    if place and place not in bus["members"] and place not in placed:
        return "refused"
    if options.get("type") == "Foreign" and options["foreignBus"] not in bus["foreign"]:
        return "refused"
    for one in names:
        own = dict(table.get(one, {}))
        stated = dict(mine)
        kind = own.get("type", stated.get("type"))
        if kind != "Alias":
            for option in _OF_ALIASES:
                stated.pop(option, None)
        if kind != "Foreign":
            stated.pop("foreignBus", None)
        if place:
            for option in _PLACE:
                own.pop(option, None)
        if stated.get("replyDestination") == "":
            stated.pop("replyDestination")
            stated.pop("replyDestinationBus", None)
            own.pop("replyDestination", None)
            own.pop("replyDestinationBus", None)
        if "replyDestination" not in stated and "replyDestination" not in own:
            stated.pop("replyDestinationBus", None)
        table[one] = own | stated
    return "done"


def _mediate(bus: BusText, name: str, options: Options) -> str:
    destination = options["destinationName"]
    if name.startswith("un"):
        return "refused" if bus["mediated"].pop(destination, None) is None else "done"
    if destination not in bus["destinations"] or options["mediationName"] not in bus["mediations"]:
        return "refused"
    before = bus["mediated"].get(destination)
    bus["mediated"][destination] = options["mediationName"]
    return "doubt" if before else "done"


def _foreign(bus: BusText, name: str, what: str, mine: Options) -> str:
    table = bus["foreign"]
    hop = mine.get("nextHopBus")
    if name.startswith("create"):
        if what in table or what == bus["name"] or (hop and hop not in table):
            return "refused"
        table[what] = mine
        return "done"
    if what not in table or (hop and hop not in table):
        return "refused"
    if name.startswith("modify"):
        table[what] = table[what] | mine
        return "done"
    del table[what]
    return (
        "doubt" if any(one["foreignBusName"] == what for one in bus["links"].values()) else "done"
    )


def _route(foreign: Options) -> str:
    if foreign["routingType"] == "Indirect":
        return "indirect"
    return "mq" if foreign["type"] == "MQ" else "sib"


def engines(bus: BusText) -> list[str]:
    """The names of the messaging engines."""
    return [
        f"{place}-{bus['name']}" if "." in place else f"{place}.{number:03}-{bus['name']}"
        for place, count in bus["engines"].items()
        for number in range(count)
    ]


def _link(bus: BusText, name: str, what: str, mine: Options) -> str:
    kind = "mq" if "MQ" in name else "sib"
    table = bus["links"]
    if name.startswith("create"):
        foreign = bus["foreign"].get(mine["foreignBusName"])
        if (
            what in table
            or mine["messagingEngine"] not in engines(bus)
            or foreign is None
            or _route(foreign) != kind
        ):
            return "refused"
        second = any(one["foreignBusName"] == mine["foreignBusName"] for one in table.values())
        table[what] = mine | {"kind": kind}
        return "doubt" if second else "done"
    if what not in table or table[what]["kind"] != kind:
        return "refused"
    if name.startswith("delete"):
        del table[what]
    else:
        table[what] = table[what] | mine
    return "done"


def commands_of(bus: BusText) -> list[Command]:
    """The commands that make a bus as it is: the edited file."""
    own = {"bus": bus["name"]}
    found: list[Command] = [("createSIBus", own | bus["options"])]
    for place in bus["members"]:
        node, dot, server = place.partition(".")
        found.append(
            (
                "addSIBusMember",
                own | ({"node": node, "server": server} if dot else {"cluster": place}),
            )
        )
        found += [("createSIBEngine", own | {"cluster": place})] * (bus["engines"][place] - 1)
    foreign, links, destinations = bus["foreign"], bus["links"], bus["destinations"]
    needed = {one.get("nextHopBus", "") for one in foreign.values()}
    needed |= {one["foreignBusName"] for one in links.values()}
    needed |= {one.get("foreignBus", "") for one in destinations.values()}
    no_more = sorted(needed - {*foreign, ""})
    direct = {"routingType": "Direct", "type": "SIBus"}
    hops = {name: one for name, one in foreign.items() if "nextHopBus" in one}
    of_mq = {one["foreignBusName"] for one in links.values() if one["kind"] == "mq"}
    for name in no_more:
        route = direct | ({"type": "MQ"} if name in of_mq else {})
        found.append(("createSIBForeignBus", own | {"name": name} | route))
    # The foreign bus of a link was deleted and made again as one of another kind.
    again = {
        one["foreignBusName"]
        for one in links.values()
        if one["foreignBusName"] in foreign
        and _route(foreign[one["foreignBusName"]]) != one["kind"]
    }
    for name, options in foreign.items():
        route = direct if name in hops else options
        if name in again:
            route = direct | {"type": "MQ" if name in of_mq else "SIBus"}
        found.append(("createSIBForeignBus", own | {"name": name} | route))
    for name, options in hops.items():
        if name not in again:
            found.append(("modifySIBForeignBus", own | {"name": name} | options))
    for name, options in destinations.items():
        found.append(("createSIBDestination", own | {"name": name} | options))
    gone = sorted(set(bus["mediated"].values()) - set(bus["mediations"]))
    for name, options in (bus["mediations"] | {name: {} for name in gone}).items():
        found.append(("createSIBMediation", own | {"mediationName": name} | options))
    for destination, name in bus["mediated"].items():
        found.append(
            ("mediateSIBDestination", own | {"destinationName": destination, "mediationName": name})
        )
    found += [("deleteSIBMediation", own | {"mediationName": name}) for name in gone]
    for name, options in links.items():
        command = "createSIBMQLink" if options["kind"] == "mq" else "createSIBLink"
        stated = {key: value for key, value in options.items() if key != "kind"}
        found.append((command, own | {"name": name} | stated))
    found += [("deleteSIBForeignBus", own | {"name": name}) for name in [*no_more, *sorted(again)]]
    found += [
        ("createSIBForeignBus", own | {"name": name} | foreign[name]) for name in sorted(again)
    ]
    return found


def as_lists(commands: list[Command]) -> str:
    """A Jython script; the options of each command are a list."""
    lines = []
    for name, options in commands:
        words: list[Any] = []
        for option, value in options.items():
            words += [f"-{option}", " ".join(value) if option == "nameList" else value]
        lines.append(f"AdminTask.{name}({words!r})")
    return "\n".join(lines) + "\nAdminConfig.save()\n"


def as_text(commands: list[Command]) -> str:
    """A Jython script; the options of each command are one text in brackets, the bus a variable."""
    lines = []
    bus = None
    for name, options in commands:
        if options["bus"] != bus:
            bus = options["bus"]
            lines.append(f"theBus = {bus!r}")
        rest = _options(
            {key: value for key, value in options.items() if key != "bus"}, "[]"
        ).replace("%", "%%")
        lines.append(f"AdminTask.{name}('[-bus %s {rest}]' % theBus)")
    return "\n".join(lines) + "\nAdminConfig.save()\n"


def as_jacl(commands: list[Command]) -> str:
    """A Jacl script: options in braces, and as a list made by a command."""
    lines = []
    for number, (name, options) in enumerate(commands):
        if number % 2 or any(isinstance(value, list) for value in options.values()):
            lines.append(f"$AdminTask {name} {{{_options(options, '{}')}}}")
        else:
            words = " ".join(
                f'-{option} "{value.replace("$", chr(92) + "$")}"'
                for option, value in options.items()
            )
            lines.append(f"catch {{$AdminTask {name} [list {words}]}} failed")
    return "\n".join(lines) + "\n$AdminConfig save\n"


def as_loops(commands: list[Command]) -> str:
    """A Jython script in which a loop over a list of names gives commands that are alike but for
    the name.
    """
    lines: list[str] = []
    at = 0
    while at < len(commands):
        name, options = commands[at]
        alike = [options.get("name", "")]
        rest = {key: value for key, value in options.items() if key != "name"}
        while "name" in options and at + len(alike) < len(commands):
            other, more = commands[at + len(alike)]
            if (
                other != name
                or {key: value for key, value in more.items() if key != "name"} != rest
                or "name" not in more
            ):
                break
            alike.append(more["name"])
        if len(alike) > 1:
            lines.append(f"for one in {alike!r}:")
            lines.append(f"    AdminTask.{name}('[-name \"' + one + '\" {_options(rest, '[]')}]')")
        else:
            lines.append(f"AdminTask.{name}('[{_options(options, '[]')}]')")
        at += len(alike)
    return "\n".join(lines) + "\nif (AdminConfig.hasChanges() == 1):\n    AdminConfig.save()\n"


def _options(options: Options, pair: str) -> str:
    words = []
    for option, value in options.items():
        words.append(f"-{option}")
        if option == "nameList":
            words.append(f"{pair[0]}{' '.join(value)}{pair[1]}")
        elif isinstance(value, list):
            rows = " ".join(f"{pair[0]}{' '.join(map(_quoted, row))}{pair[1]}" for row in value)
            words.append(f"{pair[0]}{rows}{pair[1]}")
        else:
            words.append(_quoted(value))
    return " ".join(words)


def _quoted(word: str) -> str:
    return f'"{word}"' if word == "" or " " in word else word
