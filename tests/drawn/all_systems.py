"""Estates of every system, drawn from a number: as files, with the questions that they are for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from drawn.amq_interconnect import DrawnRouters, DrawnRoutersBesideEachOther
from drawn.ems import Drawn, DrawnBesideEachOther
from drawn.ibm_mq import DrawnManagers, DrawnManagersBesideEachOther
from drawn.mqe import DrawnDevices, DrawnDevicesBesideEachOther
from drawn.rabbitmq import DrawnBrokers, DrawnBrokersBesideEachOther
from drawn.sibus import DrawnBuses, DrawnBusesBesideEachOther

DRAWN: Mapping[str, Mapping[str, Any]] = {
    "ems": {"one": Drawn, "two": DrawnBesideEachOther},
    "ibm_mq": {"one": DrawnManagers, "two": DrawnManagersBesideEachOther},
    "mqe": {"one": DrawnDevices, "two": DrawnDevicesBesideEachOther},
    "sibus": {"one": DrawnBuses, "two": DrawnBusesBesideEachOther},
    "rabbitmq": {"one": DrawnBrokers, "two": DrawnBrokersBesideEachOther},
    "amq_interconnect": {"one": DrawnRouters, "two": DrawnRoutersBesideEachOther},
}
"""How estates of a system are drawn: one by itself, or two beside each other."""


def drawn(system: str, way: str, number: int) -> Any:
    """An estate: ``files`` by path, ``servers``, ``questions()`` and ``commands()``."""
    return DRAWN[system][way](number)


def numbered(first: int, many: int) -> list[Any]:
    """The parameters of tests of so many estates of each system and way, from a number on."""
    return [
        pytest.param(system, way, number, id=f"{system} {way} {number}")
        for system, ways in DRAWN.items()
        for way in ways
        for number in range(first, first + many)
    ]
