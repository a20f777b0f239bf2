"""Messages that come back to where they were, and those that arrive twice, as a system whose
messages go step by step tells them (``states.Stepping.circling``).
"""

from __future__ import annotations

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.records import record


@record
class CircleStep:
    """One thing that moves a message: from where to where (server, and what it is on there), in
    words, by which rule and which line. ``role`` is that of a link (``Wording.link_roles``), empty
    within a server. ``condition`` has to happen for it; ``chosen``: a server takes this or another
    way."""

    from_: str
    from_at: str
    to: str
    to_at: str
    text: str
    rule: str
    confidence: str
    source: Source
    role: str = ""
    condition: str = ""
    chosen: bool = False


@record
class MessageCircle:
    """A way that leads messages back to where they were. ``kind``: they go round for ever
    (``endless``), as often as a consumer rejects them (``rejected``), until they came over as many
    links as are allowed (``bounded``), or until a server notices that they come back
    (``dropped``). ``certain``: for ever without anything that has to happen.

    ``steps`` are in order, from one that may be the first; ``text`` says what ends it, or that
    nothing does. ``message`` is one that gets there, by where it is sent (``server``,
    ``destination``) and what it has."""

    kind: str
    certain: bool
    steps: tuple[CircleStep, ...]
    rule: str
    confidence: str
    text: str
    server: str
    destination: str
    message: tuple[tuple[str, str], ...] = ()


@record
class ArrivingTwice:
    """That a message which is sent to ``destination`` at ``server`` gets to the ``receivers`` at a
    server ``at`` over two ways, each by its links."""

    server: str
    destination: str
    message: tuple[tuple[str, str], ...]
    at: str
    receivers: tuple[str, ...]
    ways: tuple[tuple[CircleStep, ...], tuple[CircleStep, ...]]


@record
class Circling:
    """What of the messages of a system comes back, and what comes twice. ``complete`` is False
    where the search ended before all was found; ``undecided`` is what no loaded file decides."""

    circles: tuple[MessageCircle, ...]
    twice: tuple[ArrivingTwice, ...]
    complete: bool
    undecided: tuple[tuple[str, Source], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
