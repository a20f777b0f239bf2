"""Drawn estates of EMS servers of whose links some do not come up, or may not."""

from __future__ import annotations

import random
from pathlib import Path

TOPICS = "T global,maxbytes=1MB\n"
SERVERS = "ABCDE"


def drawn(seed: int, *, mixed: bool = False) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """A tree of servers with a fault at some sides of its links, and by link whether it is ``up``,
    ``down`` or ``unknown``: worked out from the faults that were put in, not from the files.
    ``mixed``: in zones of both types, and with a server that is not loaded."""
    draw = random.Random(seed)
    joined = [(SERVERS[draw.randrange(number)], SERVERS[number]) for number in range(1, 5)]
    lists: dict[str, str] = {}  # what each server asks of those that log in
    for name in SERVERS:
        lists[name] = draw.choice(("", "", "", "all", "none", "ldap"))
    zones = {ends: draw.choice((("M", "mhop"), ("N", "1hop"), ("O", "1hop"))) for ends in joined}
    if not mixed:
        zones = dict.fromkeys(joined, ("M", "mhop"))
    routes: dict[str, str] = dict.fromkeys(SERVERS, "")
    users: dict[str, list[str]] = {name: ["admin"] for name in SERVERS}
    state = {}
    for ends in joined:
        sides = draw.choice(([ends], [ends[::-1]], [ends, ends[::-1]]))
        of_sides = []
        for here, there in sides:
            fault = draw.choice(("", "", "", "url", "port", "protocol", "no url"))
            elsewhere = draw.choice([name for name in SERVERS if name != there])
            url = {
                "": f"tcp://{there}:7222",
                "url": f"tcp://{elsewhere}:7222",
                "port": f"tcp://{there}:7999",
                "protocol": f"ssl://{there}:7222",
                "no url": "",
            }[fault].lower()
            zone, kind = zones[ends]
            routes[here] += f"[{there}]\n zone_name = {zone}\n zone_type = {kind}\n"
            routes[here] += f" url = {url}\n" if url else ""
            if lists[there] == "all":
                users[there].append(here)
            of_sides.append("down" if lists[there] == "none" else "unknown" if fault else "up")
        best = min(of_sides, key=("up", "unknown", "down").index)
        state[min(ends), max(ends)] = best
    if mixed and draw.randrange(2):
        routes[draw.choice(SERVERS)] += "[Z]\n url = tcp://z:7222\n zone_name = M\n"
    files: dict[str, str] = {}
    for name in SERVERS:
        main = f"server = {name}\nlisten = tcp://{name.lower()}:7222\nrouting = enabled\n"
        if lists[name]:
            main += "authorization = enabled\nusers = users.conf\n"
            main += "user_auth = ldap,local\n" if lists[name] == "ldap" else ""
            files[f"{name}/users.conf"] = "".join(f"{user}:\n" for user in users[name])
        files[f"{name}/tibemsd.conf"] = main + "routes = routes.conf\ntopics = topics.conf\n"
        files[f"{name}/routes.conf"] = routes[name] or "# none\n"
        files[f"{name}/topics.conf"] = TOPICS
    return files, state


def write(folder: Path, seed: int = 0, *, mixed: bool = False) -> None:
    """Write one of them."""
    for place, text in drawn(seed, mixed=mixed)[0].items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
