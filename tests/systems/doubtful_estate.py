"""An EMS estate in which much is left open: servers that are not loaded, routing that is
disabled, files and entries that could not be read, selectors that are not understood, one
condition at many places."""

from __future__ import annotations

from pathlib import Path

CANADIAN = "outgoing_topic = orders selector=\"country = 'Canada'\""


def _route(peer: str, *lines: str) -> str:
    return (
        "\n".join(
            [f"[{peer}]", f" url = tcp://{peer.lower()}:7222", *(f" {text}" for text in lines)]
        )
        + "\n"
    )


ROUTES = {
    "HUB": _route("NORTH", CANADIAN)
    + _route("SOUTH", CANADIAN)
    + _route("OFF")
    + _route("CARELESS", 'outgoing_topic = orders selector="country = "Canada""')
    + _route("AWAY"),
    "NORTH": _route("AWAY", "zone_name = Z", "zone_type = 1hop")
    + _route("EDGE", "zone_name = Z", "zone_type = 1hop"),
    "SOUTH": "",
    "CARELESS": _route("FAR", "zone_type = 3hop"),
    "FAR": _route("GONE"),
    "EDGE": _route("AWAY"),
    "ALONE": _route("AWAY"),
    "OFF": "",
    "DARK": "",
}
"""routes.conf of each server. AWAY and GONE are not loaded."""

TOPICS = {
    "SOUTH": "orders global\nnews\n",
    "EDGE": 'orders global\nnews global=\nx maxbytes="1\n',
    "ALONE": "news global\norders\n",
}
DISABLED = ("OFF", "DARK")


def write(root: Path) -> None:
    """Write its files below a folder."""
    for name, routes in ROUTES.items():
        folder = root / name
        folder.mkdir(parents=True)
        routing = "disabled" if name in DISABLED else "enabled"
        main = f"server = {name}\nrouting = {routing}\ntopics = topics.conf\nroutes = routes.conf\n"
        (folder / "tibemsd.conf").write_text(main, encoding="utf-8")
        (folder / "routes.conf").write_text(routes, encoding="utf-8")
        (folder / "topics.conf").write_text(TOPICS.get(name, "> global\n"), encoding="utf-8")
    (root / "SOUTH" / "durables.conf").write_text("> all\n", encoding="utf-8")
