"""Five EMS servers of which some listed who subscribes, what they hold for each other and who
takes messages from queues; some lists are cut off.
"""

from __future__ import annotations

from pathlib import Path

SERVERS = ("HUB", "EAST", "WEST", "NORTH", "SOUTH")
_TOPICS = "orders.> global\nprices.* global\naudit.> global\n"
_ROUTES = {
    "HUB": {"EAST": ("WAN", "mhop"), "WEST": ("WAN", "mhop"), "NORTH": ("WAN", "mhop")},
    "NORTH": {"SOUTH": ("SITE", "1hop")},
}
_CONSUMERS = "  Id  Conn  User  T  Topic  Name  SAS\n"
_QUEUES = "  Id  Conn  User  T  Queue  SAS  Sent\n"
_DURABLES = "  Topic Name  Durable  Shared  User  Msgs  Size\n"
_LISTED = {
    "HUB": (
        ("routes", ("Route  T  ConnID  URL  ZoneName  ZoneType\nEAST  A  1  tcp://east:7222  WAN  "
            "m\nWEST  A  -  tcp://west:7222  WAN  m\n")),
        (
            "durables",
            (f"{_DURABLES}* orders.new  $sys.route.EAST:orders.new  N  EAST  0  0.0 Kb\n* "
                "audit.all  $sys.route.NORTH:audit.all  N  NORTH  0  0.0 Kb\n"),
        ),
        (
            "consumers",
            (f"{_CONSUMERS}  1  2  ana  T  orders.new    +--\n  2  3  NORTH  T  "
                f"prices.eur    ---\n\n{_QUEUES}  3  4  EAST  Q  work  ---  0\n"),
        ),
    ),
    "EAST": (
        ("durables", f"{_DURABLES}  audit.all  audit1  N  <offline>  0  0.0 Kb\n"),
        ("consumers", (f"{_CONSUMERS}  1  2  bo  T  orders.>    "
            f"---\n\n{_QUEUES}  3  4  bo  Q  work  "
            "---  0\n")),
    ),
    "WEST": (("subscriptions", "  Id  T  Topic  Name  SS  Cons  Msgs  Size\n"),
    ("consumers", f"{_QUEUES}  1  2  cy  Q  work  +--  0\n")),
    "NORTH": (("consumers topic=prices.>", f"{_CONSUMERS}  1  2  di  T  prices.eur    ---\n"),),
}  # fmt: skip


def write(root: Path) -> None:
    """Write the estate below ``root``."""
    for server in SERVERS:
        place = root / server
        place.mkdir(parents=True)
        files = {
            "tibemsd.conf": f"server = {server}\nrouting = on\ntopics = topics.conf\nqueues = "
            "queues.conf\nroutes = routes.conf\n"
            "bridges = bridges.conf\ndurables = durables.conf\n",
            "topics.conf": _TOPICS,
            "queues.conf": "work global\n" if server == "HUB" else "work@HUB\nlocal\n",
            "routes.conf": "".join(
                (
                    f"[{other}]\n  url = tcp://{other.lower()}:7222\n  zone_name = {zone}\n  "
                    f"zone_type = {kind}\n"
                )
                for other, (zone, kind) in _ROUTES.get(server, {}).items()
            ),
            "bridges.conf": "[topic:orders.new]\n  queue=local\n" if server == "WEST" else "",
            "durables.conf": "audit.all audit1\n" if server == "EAST" else "",
        }
        if server in _LISTED:
            shown = "".join(
                f"{server}> show {command}\n{table}\n" for command, table in _LISTED[server]
            )
            files["show.txt"] = f"{shown}{server}> exit\n"
        for name, text in files.items():
            (place / name).write_text(text, encoding="utf-8")
