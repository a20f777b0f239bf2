"""What can fail, by the names that people use for it."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.forwarding.reached import shown_links
from topograph.questions.model import Model, Part
from topograph.systems.contract.system import Failures
from topograph.words.did_you_mean import nearest

_NEAR = 0.7
"""Of the letters of two names, the share that has to agree: a hint in place of all forms."""


def nearest_failure(model: Model, judged: Sequence[tuple[Part, Failures]], text: str) -> str:
    """What may be meant by a name without a kind, or with a wrong one: servers, routes and what
    else can fail that is called so or nearly so. Linear in all of these."""
    bare = text.rpartition(":")[2]
    called: dict[str, str] = {}
    for part, failures in judged:
        for server in part.graph.servers:
            called.setdefault(server.name, f"server:{model.label(server)}")
        for link in shown_links(part.graph):
            for ends in (link.ends, link.ends[::-1]):
                called.setdefault("-".join(ends), f"route:{'-'.join(ends)}")
        for components in failures.components.values():
            for one in components:
                called.setdefault(one.name, f"{one.kind}:{one.server}:{one.name}")
        for name in failures.containers:
            called.setdefault(name, f"broker:{name}")
    meant = (
        [called[bare]]
        if bare in called
        else [called[one] for one in nearest(bare, called, share=_NEAR)]
    )
    if not meant or (":" in text and bare not in called):
        return ""
    return f" Did you mean {' or '.join(meant)}?"
