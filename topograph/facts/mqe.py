"""What configurations of WebSphere MQ Everyplace say (mqe.md B1 and B4). ``server`` of every
fact is the queue manager it is defined on.
"""

from __future__ import annotations

from typing import ClassVar

from topograph.facts.fact import Fact
from topograph.records import record


@record(kw_only=True)
class MqeFact(Fact):
    """Base of the facts of this system."""

    system: ClassVar[str] = "mqe"


@record(kw_only=True)
class MqeQueueManager(MqeFact):
    """A queue manager. ``codebase`` is ``java`` or ``c``, empty where it is not stated, as are the
    others that are None.

    ``running`` is False where it is stated that it cannot be contacted, ``discovery`` False where
    queue discovery is turned off (B-1), ``listens`` False where its list of listeners is empty.
    ``unread`` names the sections (``queues``, ``connections``, ...) of which something was not
    understood: every answer about them is incomplete. ``unended`` says that the last line of its
    document has no line end, so that the file may be cut off.
    """

    kind: ClassVar[str] = "queue-manager"
    codebase: str = ""
    running: bool | None = None
    discovery: bool | None = None
    bridge_enabled: bool | None = None
    listens: bool | None = None
    unread: tuple[str, ...] = ()
    unended: bool = False

    @property
    def label(self) -> str:
        return self.server


@record(kw_only=True)
class MqeAlias(MqeFact):
    """A queue-manager alias (E-01): ``name`` stands for ``target``, a queue manager or another
    alias.
    """

    kind: ClassVar[str] = "alias"
    name: str
    target: str


@record(kw_only=True)
class MqeListener(MqeFact):
    """A listener: other queue managers connect to it."""

    kind: ClassVar[str] = "listener"
    name: str = ""
    adapter: str = ""
    address: str = ""
    port: str = ""


@record(kw_only=True)
class MqeConnection(MqeFact):
    """A connection definition, named after the queue manager that it leads to. ``type`` is
    ``direct``, ``via`` (over the queue manager ``via``) or ``mq`` (it marks a queue manager of
    IBM MQ). Alias connections are ``MqeAlias``."""

    kind: ClassVar[str] = "connection"
    name: str
    type: str = "direct"
    via: str = ""
    address: str = ""
    port: str = ""
    adapter: str = ""
    channel: str = ""


@record(kw_only=True)
class MqeQueue(MqeFact):
    """A queue. ``type`` is ``local``, ``admin``, ``remote``, ``saf`` (store and forward), ``home``
    (home server) or ``bridge``.

    ``qmgr`` is the queue's queue manager of a remote or bridge queue, ``mode`` its ``sync`` or
    ``async`` (empty where not stated). ``qmgrs`` is the list of queue managers that a
    store-and-forward queue accepts messages for, ``forward_to`` the one that it pushes to (empty:
    pull mode). ``home_server`` is where a home-server queue collects, every ``timer`` milliseconds
    (0: only when triggered; None: not stated).
    """

    kind: ClassVar[str] = "queue"
    name: str
    type: str
    qmgr: str = ""
    mode: str = ""
    aliases: tuple[str, ...] = ()
    qmgrs: tuple[str, ...] = ()
    forward_to: str = ""
    home_server: str = ""
    timer: int | None = None


@record(kw_only=True)
class MqeXmitqListener(MqeFact):
    """A transmission-queue listener (E-31): reads ``xmitq`` of the IBM MQ queue manager
    ``mq_queue_manager`` and puts what it reads on this one.
    """

    kind: ClassVar[str] = "xmitq-listener"
    mq_queue_manager: str
    xmitq: str

    @property
    def label(self) -> str:
        return f"{self.xmitq}@{self.mq_queue_manager}"


FACTS = (MqeQueueManager, MqeAlias, MqeListener, MqeConnection, MqeQueue, MqeXmitqListener)
"""Every kind of fact of this system: how rows of a snapshot become facts again."""
