"""Why a server is not reached where no link stops what would get there: no link leads on to it,
or nothing is sent over those that do.
"""

from __future__ import annotations

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Reached, Stop
from topograph.outcomes import NotForwarded, Truth
from topograph.questions.texts.layout import plural_of
from topograph.systems.registry import system

TEXTS = (
    "no {link} leads on to {end} from {start}",
    "no {link} leads on to {end} from {start} or {other}",
    "no {link} leads on to {end} from {start} or the {number} {others} that it reaches",
)
"""What is said where the server asked from reaches no other, one, and several. A page says the
same (``portable.data``).
"""

NOT_USED = (
    "{links} lead from {start} to {end}, but nothing that is configured sends a message all the way"
)
"""What is said where links lead there: whether a message takes them is decided by more than
links.
"""


def nouns(name: str) -> tuple[str, str, str, str]:
    """(link, links, servers, rule) of a system: what its people call them, and the rule by which
    links join servers.
    """
    kind = system(name)
    words = kind.wording
    return (
        words.link_noun,
        plural_of(words.link_noun),
        plural_of(words.server_noun),
        kind.citing.link_rule,
    )


def no_link(graph: ForwardingGraph, found: Reached, end: int) -> Stop:
    """That no link leads on to server ``end`` from where a message gets to. The place is that of
    the server. Linear in the links.
    """
    servers = graph.servers
    start = servers[found.start]
    link, links, others, rule = nouns(start.system)
    reached = [servers[number].name for number in found.paths]
    template = NOT_USED if end in linked_from(graph, found.start) else TEXTS[min(len(reached), 2)]
    text = template.format(
        link=link,
        links=links,
        end=servers[end].name,
        start=start.name,
        other="".join(reached[:1]),
        number=f"{len(reached):,}",
        others=others,
    )
    return Stop(
        found.start, end, NotForwarded.NO_ROUTE, text, Truth.FALSE, servers[end].source, rule
    )


def linked_from(graph: ForwardingGraph, start: int) -> set[int]:
    """The servers to which links lead from a server, whatever is sent over them: it included.
    Linear in the links.
    """
    onward: dict[int, list[int]] = {}
    for link in graph.links:
        onward.setdefault(link.a, []).append(link.b)
        if not link.one_way:
            onward.setdefault(link.b, []).append(link.a)
    found, waiting = {start}, [start]
    while waiting:
        for other in onward.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
