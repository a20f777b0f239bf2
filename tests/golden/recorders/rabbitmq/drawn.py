"""Estates by seed: exchanges that route, and one or two themes of the seed's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from golden.recorders.rabbitmq.dead_letters import byte_limits, circles, dead_letters, limits
from golden.recorders.rabbitmq.estate import LATER, Draft, Estate
from golden.recorders.rabbitmq.links import (
    carried_deaths,
    federated_deaths,
    federated_exchanges,
    federated_queues,
    meshes,
    returning,
    shovel_rings,
    shovels,
)
from golden.recorders.rabbitmq.mixed import mixed
from golden.recorders.rabbitmq.policies import equals, policies
from golden.recorders.rabbitmq.rights import rights
from golden.recorders.rabbitmq.routing import (
    alternates,
    core,
    duplicates,
    hashes,
    internal,
    missing,
    randoms,
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


def _and_missing(theme: Theme) -> Theme:
    def draw(draft: Draft) -> None:
        theme(draft)
        missing(draft, draft.definitions["vhosts"][0]["name"], draft.round("plain"))

    return draw


def _far(theme: Callable[..., None], most: int = 2) -> Theme:
    """A theme over two clusters, whose virtual hosts may have the same names."""

    def draw(draft: Draft) -> None:
        random = draft.random
        first = random.random() < 0.5
        vhosts = [draft.vhost(second=not first)]
        like = vhosts[0] if random.random() < 0.4 else ""
        vhosts.append(draft.vhost(second=first, like=like))
        for _ in range(random.randint(2, most) - 2):
            vhosts.append(draft.vhost(second=random.random() < 0.5))
        random.shuffle(vhosts)
        if random.random() < 0.3:
            core(draft, vhosts[0], draft.round("plain"), 12)
        theme(draft, vhosts)

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

_LATER_THEMES: tuple[Theme, ...] = (
    lambda draft: _routed(draft, alternates),
    _far(partial(federated_exchanges, each=True)),
    _alone(dead_letters, limits),
    _far(partial(shovels, far=True)),
    lambda draft: _routed(draft, randoms),
    _and_missing(_alone(byte_limits)),
    _far(meshes, 3),
    _alone(equals),
    _linked(partial(federated_exchanges, each=True), 3),
    _far(partial(federated_queues, both=True)),
    _alone(partial(circles, chain=True), dead_letters),
    _linked(partial(shovels, slow=True), 2),
    _far(partial(federated_exchanges, each=True), 4),
    _permitted,
    lambda draft: _routed(draft, duplicates, selected),
    _far(shovel_rings),
    _alone(policies),
    _alone(limits, circles),
    _far(carried_deaths),
    lambda draft: _routed(draft, internal, hashes),
    _linked(partial(shovels, slow=True), 2),
    _far(partial(federated_exchanges, each=True), 3),
    _alone(byte_limits, limits),
    _linked(partial(federated_queues, both=True), 2),
    _far(returning),
    _far(federated_deaths),
    _linked(federated_deaths, 2),
    _far(meshes, 4),
    _far(mixed, 3),
    _linked(mixed, 3),
    _far(mixed, 4),
    _and_missing(_alone(partial(circles, chain=True))),
    _alone(equals),
    _far(partial(shovels, far=True, slow=True)),
    _and_missing(lambda draft: _routed(draft, randoms)),
    _linked(shovel_rings, 2),
)


def drawn(seed: int) -> Estate:
    """The estate of a seed."""
    themes = _THEMES if seed < LATER else _LATER_THEMES
    turn, number = divmod(seed, len(themes))
    draft = Draft(seed, turn if seed < LATER else turn + number)
    themes[number](draft)
    return draft.finished()
