"""Estates by seed: exchanges that route, and one or two themes of the seed's own."""

from __future__ import annotations

from collections.abc import Callable

from golden.recorders.rabbitmq.dead_letters import circles, dead_letters, limits
from golden.recorders.rabbitmq.estate import THEMES, Draft, Estate
from golden.recorders.rabbitmq.links import (
    carried_deaths,
    federated_exchanges,
    federated_queues,
    shovel_rings,
    shovels,
)
from golden.recorders.rabbitmq.policies import policies
from golden.recorders.rabbitmq.rights import rights
from golden.recorders.rabbitmq.routing import (
    alternates,
    core,
    duplicates,
    hashes,
    internal,
    selected,
)

Theme = Callable[[Draft], None]


def _routed(draft: Draft, *themes: Callable[..., None]) -> None:
    vhost, where = draft.vhost(), draft.round("plain")
    core(draft, vhost, where, 24)
    for theme in themes:
        theme(draft, vhost, where)


def _alone(*themes: Callable[..., None]) -> Theme:
    def draw(draft: Draft) -> None:
        if draft.random.random() < 0.3:
            core(draft, draft.vhost(), draft.round("plain"), 16)
        for theme in themes:
            theme(draft, draft.vhost())

    return draw


def _linked(theme: Callable[..., None], most: int) -> Theme:
    def draw(draft: Draft) -> None:
        vhosts = [draft.vhost() for _ in range(draft.random.randint(2, most))]
        if draft.random.random() < 0.5:
            core(draft, vhosts[0], draft.round("plain"), 12)
        theme(draft, vhosts)

    return draw


def _permitted(draft: Draft) -> None:
    vhost, other = draft.vhost(), draft.vhost()
    rights(draft, vhost, other, draft.round("plain"))


_THEMES: tuple[Theme, ...] = (
    lambda draft: _routed(draft, alternates),
    _alone(dead_letters, limits),
    _linked(federated_exchanges, 3),
    _permitted,
    _alone(circles, dead_letters),
    _linked(shovels, 2),
    lambda draft: _routed(draft, internal, hashes),
    _alone(policies),
    _linked(federated_queues, 2),
    lambda draft: _routed(draft, duplicates, selected),
    _alone(limits, circles),
    _linked(shovel_rings, 2),
    lambda draft: _routed(draft, alternates),
    _alone(policies, circles),
    _linked(federated_exchanges, 3),
    _linked(shovels, 2),
    _alone(dead_letters, limits),
    _permitted,
    _alone(dead_letters, dead_letters),
    _linked(carried_deaths, 2),
    _linked(shovels, 2),
)


def drawn(seed: int) -> Estate:
    """The estate of a seed."""
    draft = Draft(seed)
    _THEMES[seed % THEMES](draft)
    return draft.finished()
