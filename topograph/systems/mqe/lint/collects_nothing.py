"""EL-02: collects from nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.mqe.collection import home_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration

HOME_SERVER_NOT_LOADED = FindingKind(
    "home-server-not-loaded",
    Severity.WARNING,
    about="direction",
    bearing=Bearing(
        "nothing", "It is not known what a home server keeps whose files are not loaded."
    ),
)
COLLECTS_NOTHING = FindingKind(
    "collects-nothing",
    Severity.ERROR,
    Remedy(
        "Define the store-and-forward queue, or correct the name.",
        "{server} gets none of the messages kept for it.",
    ),
    about="direction",
    bearing=Bearing("nothing", "Nothing is kept where it collects: no message is on that way."),
)
EL_02 = Rule(
    "EL-02",
    "Collects from nothing",
    "A home-server queue collects from a store-and-forward queue that does not exist.",
    (
        HOME_SERVER_NOT_LOADED,
        COLLECTS_NOTHING,
    ),
    check=True,
)


@lint(EL_02)
def collects_nothing(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-02: no store-and-forward queue of that name at the home server."""
    for here in configuration.all():
        for home in (one for homes in here.homes.values() for one in homes):
            server = home_server(here, home)
            there = configuration.get(server)
            where = f"{home.name} of {here.name} collects from {home.name} of {server}"
            if there is None:
                text = f"{where}, which is not among the loaded files."
                yield EL_02.at(home.source, text, kind=HOME_SERVER_NOT_LOADED, server=here.name)
            elif home.name not in there.stores:
                text = f"{where}, which has no store-and-forward queue of that name."
                yield EL_02.at(home.source, text, kind=COLLECTS_NOTHING, server=here.name)
            elif here.name not in there.stores[home.name].qmgrs:
                text = (
                    f"{where}, which does not list {here.name}: there is nothing to collect (E-14)."
                )
                yield EL_02.at(home.source, text, kind=COLLECTS_NOTHING, server=here.name)
