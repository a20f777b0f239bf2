"""What a running TIBCO EMS server printed for the ``show`` commands of the administration tool:
its state at one moment.
"""

from __future__ import annotations

from typing import ClassVar

from topograph.facts.fact import Fact
from topograph.records import record


@record(kw_only=True)
class EmsListing(Fact):
    """One table that a server printed. ``name`` is the command without ``show`` (``topics``,
    ``consumers``, ``config``, ...).

    ``cut`` says why there may be more than the rows that were read; empty where they are all there
    was at that moment. ``url`` is where the tool was connected, as its prompt says it; empty where
    the text names the server, or says neither.
    """

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "listing"
    name: str
    cut: str = ""
    url: str = ""


@record(kw_only=True)
class EmsObservedSetting(Fact):
    """A line of ``show server`` or ``show config`` (``listing``) that decides something about
    messages: ``name`` is ``state``, or a parameter of tibemsd.conf (``server``, ``routing``,
    ``authorization``, ``listen``, ``ft_active``). Switches are ``enabled`` or ``disabled``; of
    several URLs each is a fact."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "observed_setting"
    listing: str
    name: str
    value: str


@record(kw_only=True)
class EmsObservedDestination(Fact):
    """A row of ``show topics`` or ``show queues``. ``dynamic`` destinations are those that no
    file defines, temporary ones among them; ``properties`` are the flags in force, inherited
    ones too; ``owner`` is the server after ``@`` of a routed queue."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "observed_destination"
    type: str
    name: str
    owner: str = ""
    dynamic: bool = False
    properties: tuple[str, ...] = ()


@record(kw_only=True)
class EmsObservedSubscription(Fact):
    """A row of ``show durables``, ``show subscriptions``, ``show consumers`` or ``show stat
    consumers``: somebody wants what comes to a destination.

    ``listing`` is the command. ``client`` is False for what the server made itself; ``route`` is
    then the server it was made for, where the row says it. ``selector`` is ``yes``, ``no``, or
    empty where the table has no column for it. ``durable`` is empty for a consumer without one,
    ``dynamic`` whether no file defines it.
    """

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "observed_subscription"
    listing: str
    type: str
    name: str
    durable: str = ""
    client_id: str = ""
    user: str = ""
    selector: str = ""
    client: bool = True
    route: str = ""
    dynamic: bool = False

    @property
    def label(self) -> str:
        return self.durable or self.name


@record(kw_only=True)
class EmsObservedBridges(Fact):
    """A row of ``show bridges``: how many queues and topics one source is bridged to."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "observed_bridges"
    type: str
    name: str
    queues: int
    topics: int


FACTS: tuple[type[Fact], ...] = (
    EmsListing,
    EmsObservedSetting,
    EmsObservedDestination,
    EmsObservedSubscription,
    EmsObservedBridges,
)
"""Every kind of fact of this module."""
