"""Which systems there are: topograph's own and those of other packages, by the same door
(``topograph.extensions``).
"""

from __future__ import annotations

from collections.abc import Iterable

from topograph import extensions
from topograph.errors import UnknownSystem
from topograph.systems.contract.system import ClosedForm, System


def system(name: str) -> System:
    """The record of a system; its module is imported on first use. Raises UnknownSystem where no
    package answers for it.
    """
    found = extensions.module(name, "rules").SYSTEM
    if not isinstance(found, System):
        raise UnknownSystem(
            f"The package that answers for {name} is made for another version of "
            "topograph (docs/extending.md)."
        )
    return found


def closed_form(name: str) -> ClosedForm:
    """How the graph of a system is made. Raises UnknownSystem where no package answers for it,
    or where it has no graph of its own.
    """
    found = system(name).closed
    if found is None:
        raise UnknownSystem(f"{title(name)} has no graph: import the files again.")
    return found


def not_connected(here: str, there: str) -> str:
    """Why nothing is said of a message from a server of one system to one of another: nothing
    configured leads there.
    """
    return (
        f"no connection between {title(here)} and {title(there)} is configured in the loaded files"
    )


def title(name: str) -> str:
    """What people call a system."""
    return system(name).title


def server_noun(names: Iterable[str]) -> str:
    """What people call the servers of some systems: ``server`` where these have different words
    for it.
    """
    nouns = {system(name).wording.server_noun for name in set(names) if name}
    return nouns.pop() if len(nouns) == 1 else "server"
