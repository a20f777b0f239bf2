"""Reading one text, for the tests beside this file."""

from __future__ import annotations

from typing import TypeVar

from topograph.facts import Fact
from topograph.facts.ibm_mq import Described
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.reading import Options, Reading
from topograph.side_inputs import SideInputs

Kind = TypeVar("Kind", bound=Fact)


def read(text: str, path: str = "QM1.mqsc", side_inputs: SideInputs = SideInputs()) -> Reading:  # noqa: B008
    """What an import makes of one file."""
    data = text.encode()
    (bundle,) = plan([recognise(path, data)], side_inputs).bundles
    assert bundle.system == "ibm_mq"
    return read_bundle(bundle, {path: data}, Options())


def facts(text: str, kind: type[Kind], path: str = "QM1.mqsc") -> list[Kind]:
    """The facts of a kind in a text."""
    return [fact for fact in read(text, path).facts if isinstance(fact, kind)]


def only(text: str, kind: type[Kind], path: str = "QM1.mqsc") -> Kind:
    """The one fact of a kind in a text."""
    (fact,) = facts(text, kind, path)
    return fact


def findings(text: str, path: str = "QM1.mqsc") -> list[tuple[str, int]]:
    """Kinds and lines of the findings of a text, but for the one on its name."""
    return [
        (one.kind, one.source.line)
        for one in read(text, path).findings
        if one.kind != "queue-manager-not-named"
    ]


def values(fact: Described) -> dict[str, str]:
    """The attributes of a fact by name."""
    return {one.name: one.value for one in fact.attributes}
