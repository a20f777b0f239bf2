"""Estates that files of anybody's hand could bring: names that a page or a terminal could act
on, and shapes at the ends of what can be drawn.
"""

from __future__ import annotations

from collections.abc import Mapping

from drawn.networks import estate_of, route

from topograph.findings import Source
from topograph.forwarding.reached import LinkShown
from topograph.viz.scene.picture import EstateDrawn

MARKUP = "</script><img src=x onerror=alert(1)>"
TURNED = "a\u202egnp.exe"
"""Drawn as it stands, it reads ``aexe.png``."""

HEBREW, ARABIC = "\u05e9\u05e8\u05ea", "\u0645\u0631\u0643\u0632 7"
LONG = "L" * 100 + "M" * 99 + "X", "L" * 100 + "M" * 99 + "Y"


def links(pairs: list[tuple[str, str]]) -> list[LinkShown]:
    return [
        LinkShown(pair, "", "", pair[0], 3 + n, Source("r.conf", n + 1))
        for n, pair in enumerate(pairs)
    ]


def _estates() -> dict[str, EstateDrawn]:
    names = (MARKUP, "'\"`${alert(2)}", "A&amp;B")
    parts = [(f"S{n}0", f"S{n}1") for n in range(10)]
    return {
        "markup": estate_of(names, links([(names[0], names[1]), (names[1], names[2])])),
        "turned": estate_of([TURNED, "B"], links([(TURNED, "B")])),
        "from the right": estate_of(
            [HEBREW, ARABIC, "C"], links([(HEBREW, ARABIC), (ARABIC, "C")])
        ),
        "long": estate_of(LONG, links([LONG])),
        "none": estate_of([], []),
        "one": estate_of(["A"], []),
        "ten parts": estate_of(
            [end for pair in parts for end in pair], [route(a, b, f"Z{a}") for a, b in parts]
        ),
        "fifty parallel": estate_of(
            "AB",
            [LinkShown(("A", "B"), "", "", "A", 1, Source("r.conf", n + 1)) for n in range(50)],
        ),
        "itself": estate_of("AB", [route("A", "A"), route("A", "A"), route("A", "B")]),
    }


ESTATES: Mapping[str, EstateDrawn] = _estates()
