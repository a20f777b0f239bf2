"""How answers, reports and pictures speak of a system: its people's words, the rules that are cited
where no step names one, and what servers and links look like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from topograph.records import record

DOCUMENTED: Mapping[str, str] = {
    "H": "high: the vendor's documentation says so, in one voice",
    "M": "medium: the documentation implies it, or says it in one place",
    "L": "low: the best reading of what the documentation leaves open",
}
"""How sure a rule is that rests on documentation, by its mark."""

Shape = Literal["circle", "hexagon", "box", "bar", "device", "house"]
"""How the servers of a system are drawn: ``box`` is broader than high, ``bar`` much broader,
``device`` higher than broad, ``house`` has its point above.
"""

Line = Literal[
    "solid",
    "long-dashes",
    "wide-dashes",
    "dashes",
    "short-dashes",
    "dots",
    "wide-dots",
    "close-dots",
    "dash-dot",
    "dash-dot-dot",
]
"""The line that a kind of link is drawn with."""


@record(slots=False)
class Wording:
    """What the people of a system call its servers and links, and how these are drawn."""

    server_noun: str = "server"
    """What they call a server."""
    link_noun: str = "link"
    """What they call a link."""
    opened_by: str = ""
    """What they call what opens a link, where they say of that where it leads."""
    shape: Shape = "circle"
    """How a server is drawn."""
    link_roles: Mapping[str, Line] = field(default_factory=dict)
    """The kinds of links that it has (``Link.role``), each with the line that it is drawn with."""


@record(slots=False)
class Citing:
    """What answers cite of a system where no step of theirs names a rule."""

    incomplete_rule: str = "incomplete"
    """The rule cited where loaded files leave open whether a server is reached."""
    link_rule: str = "no-link"
    """The rule by which servers are joined: cited where no link leads on to a server."""
    doubled: tuple[str, str] | None = None
    """The rule against more than one path, and what an answer says where a server is reached over
    several."""
    long_replies: tuple[str, str] | None = None
    """Rule and text of what an answer says of replies over more than one link."""
    observed_stops: frozenset[str] = frozenset()
    """The kinds of findings about links over which nothing went when they were observed: ``reach``,
    ``hops`` and ``paths`` cite them where a server is not reached."""
    kept_elsewhere: Mapping[str, str] = field(default_factory=dict)
    """By list of ``show``: where its entries stand if not in the files that are read."""
    confidences: Mapping[str, str] = field(default_factory=lambda: DOCUMENTED)
    """The marks of how sure its rules are, with what each means."""
