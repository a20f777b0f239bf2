"""Networks of cranes and one barge for tests: out of lines, and random ones."""

from __future__ import annotations

from barge import rules as barge
from barge.facts import Barge
from hypothesis import strategies as st

from crane.facts import Rule
from topograph.findings import Source

QUAY = Barge(bundle="q", server="quay", source=Source("quay.barge", 1, 1))
SEAMS = barge.SYSTEM.seams


def rules(*lines: str) -> list[Rule]:
    """Lines ``SERVER/OBJECT KIND ARGUMENTS``."""
    found = []
    for number, line in enumerate(lines, 1):
        place, does, *words = line.split()
        server, _, name = place.partition("/")
        source = Source(f"{server}.crane", number, 1)
        found.append(
            Rule(
                bundle=server,
                server=server,
                source=source,
                name=name,
                does=does,
                words=tuple(words),
            )
        )
    return found


OBJECTS = [f"{server}/{name}" for server in "ab" for name in ("in", "x", "y")]
KEYS = {"K": 2, "L": 3}


@st.composite
def networks(draw: st.DrawFn) -> list[str]:
    """A rule for each object. Copies and choices go to later objects only, so that only
    redirects and single ways can go round.
    """
    lines = []
    for number, name in enumerate(OBJECTS):
        anywhere = st.sampled_from(OBJECTS)
        later = st.sampled_from(OBJECTS[number + 1 :] or ["quay/x"])
        does = draw(
            st.sampled_from(
                [
                    "deliver",
                    "copy",
                    "only",
                    "if",
                    "one_of",
                    "mediate",
                    "maybe",
                    "redirect",
                    "missing",
                    "hand",
                    "round",
                ]
            )
        )
        if not OBJECTS[number + 1 :] and does not in ("redirect", "hand", "round"):
            does = "deliver"
        match does:
            case "copy":
                words = draw(st.lists(later, min_size=1, max_size=2))
            case "only":
                words = [draw(st.sampled_from(["p=1", "p=2", "q=1"])), draw(later)]
            case "if":
                words = [draw(st.sampled_from(["p=1", "p=2"])), draw(later), "else", draw(later)]
            case "one_of" | "mediate":
                key = draw(st.sampled_from(sorted(KEYS)))
                words = [f"{does}{key}", *(draw(later) for _ in range(KEYS[key]))]
            case "maybe" | "missing":
                words = [draw(later)]
            case "redirect":
                words = [str(draw(st.integers(0, 2))), draw(anywhere)]
            case "hand":
                words = ["barge", "quay/x"]
            case "round":
                does, words = "copy", [draw(anywhere)]
            case _:
                words = []
        lines.append(" ".join([name, does, *words]))
    return lines
