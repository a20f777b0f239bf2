"""The members of fault-tolerant pairs by where they listen, and which of them the URLs of a route
lead to (R6, R7: a route to a pair lists the URLs of both).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto

from topograph.facts.ems import EmsRoute, EmsServer
from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, SECONDARY, endpoints
from topograph.findings import Source
from topograph.records import record

Address = tuple[str, int]
"""Host in lower case, and port."""


@record(slots=False)
class Member:
    """One member of a pair: where it listens, as far as that means the same machine everywhere;
    the ``bundle`` of its files where they are its own; whether they are ``loaded``."""

    addresses: frozenset[Address]
    source: Source
    bundle: str = ""
    loaded: bool = True
    urls: str = ""
    """Where it listens, as it is written."""

    @property
    def label(self) -> str:
        """What tells it from the other one: its own file, or where it listens."""
        return self.source.file if self.bundle else self.urls


class Leads(Enum):
    """Where a route leads while one member of a pair is away."""

    TO_THE_OTHER = auto()
    TO_NOBODY = auto()
    UNKNOWN = auto()


def members_of(mains: Sequence[EmsServer]) -> Sequence[Member]:
    """The two members that the main files of one name show; none where they are no pair. Two
    files of which each names the other in ft_active, one that names a member whose file is not
    loaded, or one tibemsd.json with the URLs of both.
    """
    ordered = sorted(mains, key=lambda fact: fact.bundle)
    if len(ordered) == 2 and all(fact.ft_active for fact in ordered):
        first, second = ordered
        return tuple(
            Member(
                addresses((*own.listen, other.ft_active)),
                own.source,
                own.bundle,
                urls=",".join(own.listen) or other.ft_active,
            )
            for own, other in ((first, second), (second, first))
        )
    if len(ordered) != 1:
        return ()
    (main,) = ordered
    secondary = tuple(dict(main.parameters).get(SECONDARY, "").split(","))
    if any(secondary):
        primary = tuple(url for url in main.listen if url not in secondary)
        return tuple(
            Member(addresses(urls), main.place("listen"), urls=",".join(urls))
            for urls in (primary, secondary)
        )
    if main.ft_active:
        away = Member(
            addresses((main.ft_active,)),
            main.place("ft_active"),
            loaded=False,
            urls=main.ft_active,
        )
        return Member(addresses(main.listen), main.source, urls=",".join(main.listen)), away
    return ()


def addresses(urls: Iterable[str]) -> frozenset[Address]:
    """The addresses of URLs that mean the same machine everywhere."""
    return frozenset(
        (end.host.lower(), end.port or DEFAULT_PORT)
        for url in urls
        for end in endpoints(url)
        if end.host and end.host.lower() not in LOOPBACK
    )


def leads(route: EmsRoute, pair: Sequence[Member], failed: int) -> Leads:
    """Where a route to a pair leads while its member ``failed`` (0 or 1) is away. An address of
    which the files do not say whose it is may be that of either, unless another one is beside it:
    then the two are those of the two.

    >>> one, two = (Member(frozenset({(host, 7222)}), Source("")) for host in ("c1", "c2"))
    >>> [leads(EmsRoute(bundle="", server="E", source=Source(""), name="C", url=(url,)),
    ...        (one, two), 0).name for url in ("tcp://c1:7222", "tcp://c1:7222,tcp://c2", "tcp://c")]
    ['TO_NOBODY', 'TO_THE_OTHER', 'UNKNOWN']
    """
    named = addresses(route.url)
    gone, left = pair[failed].addresses, pair[1 - failed].addresses
    if named & left or len(named - gone) > 1:
        return Leads.TO_THE_OTHER
    if not named:
        return Leads.UNKNOWN
    if named <= gone:
        return Leads.TO_NOBODY
    return Leads.TO_THE_OTHER if named & gone else Leads.UNKNOWN


def missed(route: EmsRoute, pair: Sequence[Member]) -> Member | None:
    """The member that a route does not name although it names the other one alone."""
    for failed in (0, 1):
        if leads(route, pair, failed) is Leads.TO_NOBODY:
            return pair[1 - failed]
    return None
