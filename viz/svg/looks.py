"""How an SVG drawing looks: signs, words and colours of marks, lines of links, and the style
sheet. The same as those of the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.viz.layout.zone_colours import COLOURS as ZONE_COLOURS
from topograph.viz.scene.records import Mark

DASHES: Mapping[str, str] = {
    "long-dashes": "14 5",
    "wide-dashes": "14 5",
    "dashes": "5 4",
    "short-dashes": "5 4",
    "dots": "1.5 4",
    "wide-dots": "1.5 4",
    "close-dots": "1.5 4",
    "dash-dot": "14 4 2 4",
    "dash-dot-dot": "14 4 2 4",
}
"""Four that are told apart at a glance, beside the full line: where a picture has more kinds of
links, their names are at the lines (``Scene.named_roles``).
"""

SIGNS: Mapping[Mark, str] = {
    Mark.TARGET: "M-5 0L-1.3 4.2L5.5-4.2",
    Mark.REACHED: "M-5 0L-1.3 4.2L5.5-4.2",
    Mark.DELIVERED: "M-5 0L-1.3 4.2L5.5-4.2",
    Mark.STORED: "M-4.9-3.9H4.9V3.9H-4.9ZM-4.9 0H4.9",
    Mark.MAYBE_TRANSIT: "M-5.2 0H-2.2M-.6 0H5.2M1.3-3.9L5.2 0L1.3 3.9",
    Mark.TRANSIT: "M-5.2 0H5.2M1.3-3.9L5.2 0L1.3 3.9",
    Mark.HELD: "M-2.6-4.5V4.5M2.6-4.5V4.5",
    Mark.ASIDE: "M-5.2-.6V4.5H5.2V-.6M0-5.8V1.3",
    Mark.REJECTED: "M-4.2-4.2L4.2 4.2M4.2-4.2L-4.2 4.2",
    Mark.CIRCULATES: "M4.6 1.2A4.8 4.8 0 1 1 3.4-3.4M4.6-6V-2.4H1",
    Mark.UNREACHABLE: "M-4.2-4.2L4.2 4.2M4.2-4.2L-4.2 4.2",
    Mark.NOTHING: "M-4.2-4.2L4.2 4.2M4.2-4.2L-4.2 4.2",
    Mark.AFFECTS: "M-5.2-2.3H5.2M-5.2 2.3H5.2M-3.3 5.5L3.3-5.5",
    Mark.HARMLESS: "M-5 0L-1.3 4.2L5.5-4.2",
    Mark.WOULD_DELIVER: "M-5 0L-1.3 4.2L5.5-4.2",
    Mark.CUT_OFF: "M-6.5 0H-2.6M2.6 0H6.5M-2 4.9L2-4.9",
    Mark.APART: "M-6.5 0H-2.6M2.6 0H6.5M-2 4.9L2-4.9",
    Mark.LOSES: "M0-5.5V5.5M-3.9 1.3L0 5.5L3.9 1.3",
    Mark.WOULD_LOSE: "M0-5.5V5.5M-3.9 1.3L0 5.5L3.9 1.3",
    Mark.GAINS: "M0 5.5V-5.5M-3.9-1.3L0-5.5L3.9-1.3",
    Mark.WOULD_GAIN: "M0 5.5V-5.5M-3.9-1.3L0-5.5L3.9-1.3",
    Mark.ELSEWHERE: "M-5.2-2.3H5.2M-5.2 2.3H5.2M-3.3 5.5L3.3-5.5",
    Mark.BETTER: "M0 2.2V-5.5M-3.9-1.6L0-5.5L3.9-1.6M-4.6 5.5H4.6",
    Mark.COMES: "M-5.2 0H5.2M0-5.2V5.2",
    Mark.GOES: "M-4.2-4.2L4.2 4.2M4.2-4.2L-4.2 4.2",
    Mark.DOWN: "M1.2-6L-3.2.8H3.2L-1.2 6",
    Mark.ASKED: "M-.1 0H.1",
    Mark.ONE_OF: "M-5 0L-1.3 4.2L5.5-4.2",
    Mark.LATER: "M-5.6 0A5.6 5.6 0 1 0 5.6 0A5.6 5.6 0 1 0-5.6 0M0-3.2V0L2.4 1.6",
    Mark.MAY_END: "M-4.2-4.2L4.2 4.2M4.2-4.2L-4.2 4.2",
    Mark.LOST: "M-6.5 0H-2.6M2.6 0H6.5M-2 4.9L2-4.9",
    Mark.REDUNDANT: "M-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0-4.5 0",
}

LINK_SIGNS: Mapping[Mark, str] = {
    Mark.COMES: SIGNS[Mark.COMES],
    Mark.GOES: SIGNS[Mark.GOES],
    Mark.ALTERED: "M-5-1.5Q-2.5-5 0-1.5T5-1.5M-5 3.5Q-2.5 0 0 3.5T5 3.5",
    Mark.REFUSED: SIGNS[Mark.GOES],
    Mark.DOWN: SIGNS[Mark.DOWN],
    Mark.CRITICAL: "M0-5V1M0 4.6V4.7",
}
"""What a change, or a failure, does to a link."""

HALF_FILLED = frozenset({Mark.ONE_OF, Mark.MAY_END})
"""Marks of one of several: the lower half is filled, the sign has a rim."""

LETTERED = frozenset({Mark.CUT_OFF, Mark.APART})
"""Marks whose sign is the letter of a part, where there are parts."""

LETTERS: Mapping[Mark, str] = {Mark.UNDETERMINED: "?", Mark.DUPLICATE: "!", Mark.CRITICAL: "!"}

FILLED = frozenset(
    {
        Mark.ASKED,
        Mark.TARGET,
        Mark.REACHED,
        Mark.DELIVERED,
        Mark.STORED,
        Mark.DUPLICATE,
        Mark.HELD,
        Mark.ASIDE,
        Mark.REJECTED,
        Mark.CIRCULATES,
    }
    | {Mark.DOWN, Mark.CRITICAL, Mark.CUT_OFF, Mark.LOSES, Mark.ELSEWHERE, Mark.BETTER, Mark.GAINS}
)

BROKEN = frozenset(
    {
        Mark.MAYBE_TRANSIT,
        Mark.WOULD_DELIVER,
        Mark.WOULD_LOSE,
        Mark.WOULD_GAIN,
        Mark.GOES,
        Mark.REFUSED,
        Mark.DOWN,
    }
)
"""Marks with a broken line: nobody is known there, or it goes, or will not be."""

COLOURS: Mapping[str, tuple[str, str]] = {
    "canvas": ("#fbfbf9", "#0f1317"),
    "text": ("#1a1d21", "#eceff2"),
    "muted": ("#5a6168", "#a3acb5"),
    "line": ("#6b747d", "#8b959f"),
    "plain": ("#3c4650", "#b9c2cb"),
    "path": ("#0b57b8", "#79b8ff"),
    "good": ("#0a7a5c", "#4fd1a5"),
    "bad": ("#b3261e", "#ff8a7a"),
    "doubt": ("#855300", "#f2c14e"),
    "passed": ("#3f6c8c", "#93c4e6"),
    "twice": ("#a3217c", "#f391cf"),
    "spare": ("#5b4bb0", "#b3a5ff"),
    "zone0": ("#00679e", "#6cc0ee"),
    "zone1": ("#9c5a00", "#edb04f"),
    "zone2": ("#00775a", "#52cba8"),
    "zone3": ("#a33e78", "#eb9cc6"),
    "zone4": ("#5e5fa8", "#b0b1f2"),
    "zone5": ("#a5450b", "#f59a68"),
    "zone6": ("#6f6a00", "#d3cc4c"),
    "zone7": ("#4f6470", "#a9bdc9"),
}
"""Each colour on a light and on a dark ground; those of the page."""

COLOUR_OF: Mapping[Mark, str] = {
    Mark.ASKED: "text",
    Mark.TARGET: "path",
    Mark.PATH: "path",
    Mark.REACHED: "good",
    Mark.DELIVERED: "good",
    Mark.STORED: "good",
    Mark.TRANSIT: "passed",
    Mark.MAYBE_TRANSIT: "doubt",
    Mark.HELD: "doubt",
    Mark.ASIDE: "doubt",
    Mark.REJECTED: "bad",
    Mark.CIRCULATES: "twice",
    Mark.UNREACHABLE: "bad",
    Mark.NOTHING: "bad",
    Mark.BLOCKED: "bad",
    Mark.UNDETERMINED: "doubt",
    Mark.DUPLICATE: "twice",
    Mark.REDUNDANT: "spare",
    Mark.WOULD_DELIVER: "good",
    Mark.ONE_OF: "good",
    Mark.LATER: "doubt",
    Mark.MAY_END: "doubt",
    Mark.LOST: "bad",
    Mark.CUT_OFF: "bad",
    Mark.APART: "bad",
    Mark.LOSES: "bad",
    Mark.WOULD_LOSE: "bad",
    Mark.ELSEWHERE: "doubt",
    Mark.BETTER: "good",
    Mark.GAINS: "good",
    Mark.WOULD_GAIN: "good",
    Mark.COMES: "good",
    Mark.GOES: "bad",
    Mark.ALTERED: "doubt",
    Mark.REFUSED: "bad",
    Mark.DOWN: "bad",
    Mark.CRITICAL: "bad",
    Mark.AFFECTS: "doubt",
    Mark.HARMLESS: "good",
    Mark.NONE: "plain",
}


TILE = 14
"""Width and height of the tile of a pattern."""

PATTERN_TILES: tuple[str, ...] = (
    '<path class="fill-lines" d="M-4 4L4-4M0 14L14 0M10 18L18 10"/>',
    '<path class="fill-lines" d="M-4 10L4 18M0 0L14 14M10-4L18 4"/>',
    '<circle class="fill-dots" cx="3.5" cy="3.5" r="1.5"/>'
    '<circle class="fill-dots" cx="10.5" cy="10.5" r="1.5"/>',
    '<path class="fill-lines" d="M0 7H14"/>',
    '<path class="fill-lines" d="M7 0V14"/>',
    '<path class="fill-lines" d="M0 7H14M7 0V14"/>',
    '<path class="fill-lines" d="M0 0L14 14M0 14L14 0"/>',
    '<circle class="fill-lines" cx="3.5" cy="3.5" r="2.4"/>'
    '<circle class="fill-lines" cx="10.5" cy="10.5" r="2.4"/>',
    "",
)
"""What fills a tile of each pattern; those of ``page/script/colours.js``."""


def zone_fill(number: int, id_: str) -> str:
    """What zones of a number of ``zone_colours`` are filled with, as a pattern of this id."""
    ground = f'<rect class="fill-ground" width="{TILE}" height="{TILE}"/>'
    tint = f'<rect class="fill-tint" width="{TILE}" height="{TILE}"/>'
    return (
        f'<pattern id="{id_}" class="zone{number % ZONE_COLOURS}" width="{TILE}" '
        f'height="{TILE}" patternUnits="userSpaceOnUse">{ground}{tint}'
        f"{PATTERN_TILES[number % len(PATTERN_TILES)]}</pattern>"
    )


def style() -> str:
    """The style sheet: colours of the light and the dark ground, by the reader's setting. Loads
    nothing.
    """
    light = "".join(f"--{name}:{pair[0]};" for name, pair in COLOURS.items())
    dark = "".join(f"--{name}:{pair[1]};" for name, pair in COLOURS.items())
    colours = "".join(
        f".c-{name}{{--own:var(--{name})}}" for name in COLOURS if not name.startswith("zone")
    )
    zones = "".join(f".zone{n}{{--own:var(--zone{n})}}" for n in range(8))
    return (
        f"svg{{color-scheme:light dark;{light}font:13px system-ui,sans-serif}}@media "
        f"(prefers-color-scheme:dark){{svg{{{dark}}}}}"
        f"{colours}{zones}"
        ".ground{fill:var(--canvas)}text{fill:var(--text)}.muted,"
        ".cost{fill:var(--muted)}.verdict{font-weight:650}.heading{font-weight:650}"
        ".zone{opacity:.36}.zone path{stroke-linejoin:round;stroke-linecap:round}"
        ".fill-ground{fill:var(--canvas)}.fill-tint{fill:var(--own);opacity:.4}"
        ".fill-lines{fill:none;stroke:var(--own);stroke-width:1.3}.fill-dots{fill:var(--own)}"
        "rect.zone{stroke:var(--own);stroke-width:2}"
        ".name{fill:var(--own);font-weight:650;text-anchor:middle;paint-order:stroke;"
        "stroke:var(--canvas);stroke-width:4px;stroke-linejoin:round}"
        ".link path{fill:none;stroke:var(--own);stroke-width:1.6}.link "
        ".both{stroke-width:5}.link .ground-line{stroke:var(--canvas);stroke-width:1.8}"
        ".attaching{fill:none;stroke:var(--line);stroke-width:1.2;stroke-dasharray:1.5 4}"
        ".leaving{fill:none;stroke:var(--line);stroke-width:1.4;stroke-dasharray:5 2 3 2.5 1.5 3}"
        ".link.faded{opacity:.55}.link .end,.arrow,.link .arrow{fill:var(--own);stroke:none}"
        ".way-rim{fill:none;stroke:var(--canvas);stroke-width:9.5;"
        "stroke-linecap:round}.way{fill:none;stroke:var(--path);stroke-width:5.5;"
        "stroke-linecap:round}"
        ".way.second{stroke:var(--twice);stroke-width:3.5;stroke-dasharray:11 6;"
        "stroke-linecap:butt}.step.second{stroke:var(--twice)}"
        ".way.to-block{stroke-width:3.5}.beyond{fill:none;stroke:var(--bad);"
        "stroke-width:2;stroke-dasharray:1.5 6}"
        ".step{fill:var(--canvas);stroke:var(--path);"
        "stroke-width:2}.number{font-size:11px;font-weight:650;text-anchor:middle}"
        ".step.doubt{stroke:var(--doubt)}.stopped,.unsure{fill:none;stroke:var(--bad);"
        "stroke-width:3.2}.unsure{stroke:var(--doubt);stroke-dasharray:7 4}"
        ".stop{fill:var(--canvas);stroke:var(--bad);"
        "stroke-width:2.4}.unsure-sign{stroke:var(--doubt);stroke-dasharray:3 2}"
        ".server>*{fill:var(--canvas);stroke:var(--own);"
        "stroke-width:2}.server.filled>*{fill:var(--own)}.server .ring{fill:none}"
        ".server .sign{fill:none;stroke:var(--own);stroke-width:2.6;stroke-linecap:round;"
        "stroke-linejoin:round}"
        ".server .half{fill:var(--own);stroke:none}.server .rim{fill:none;"
        "stroke:var(--canvas);stroke-width:6;stroke-linecap:round;stroke-linejoin:round}"
        ".server .asked{stroke-width:3}"
        ".server.filled .sign{stroke:var(--canvas);fill:none}.c-text .sign{stroke-width:6}"
        ".server .letter{fill:var(--own);stroke:none;font-weight:700;font-size:15px;"
        "text-anchor:middle}.server.filled .letter{fill:var(--canvas)}"
        ".server .tag{fill:var(--canvas);stroke:var(--bad);stroke-width:1.5}.server .tagged{"
        "fill:var(--bad);stroke:none;font-size:11px;font-weight:700;text-anchor:middle}"
        ".label.boxed{font-size:12px;font-weight:600;stroke:none}"
        ".label,.cost{text-anchor:middle;paint-order:stroke;stroke:var(--canvas);"
        "stroke-width:3.5px;"
        "stroke-linejoin:round}.label.faded{fill:var(--muted)}.cost{font-size:11px}"
        ".disc .rim{fill:var(--canvas);stroke:var(--own);"
        "stroke-width:2}.disc.group{--own:var(--muted)}.share{fill:none;"
        "stroke:var(--own)}"
        ".on-way{fill:none;stroke:var(--path);stroke-width:3}.disc-name,"
        ".disc-about{text-anchor:middle}.disc-name{font-weight:650;fill:var(--own)}"
        ".spine path{fill:none;stroke:var(--own);stroke-width:1.5;opacity:.75}"
        ".bundle path{fill:none;stroke:var(--line);"
        "stroke-opacity:.4}.joint{fill:var(--canvas);stroke:var(--line);stroke-width:1.6}"
        ".lane-box{fill:var(--canvas);stroke:var(--path);stroke-width:1.5}"
        ".lane-broken{stroke-dasharray:5 3}.lane-kind,.lane-name,.lane-over,.lane-doubt"
        "{font-size:12px}.lane-kind,.lane-over{fill:var(--muted)}.lane-name{font-weight:650}"
        ".lane-moved,.lane-change{fill:var(--own);stroke:none}.lane-change{font-size:12px}"
        ".lane-doubt{fill:var(--doubt)}.lane-over{text-anchor:middle}"
        ".lane-line{fill:none;stroke:var(--path);stroke-width:1.6}.lane-head{fill:var(--path)}"
        ".second-lanes .lane-box,.second-lanes .lane-line,.second-lanes .step{stroke:var(--twice)}"
        ".second-lanes .lane-head{fill:var(--twice)}"
        ".badge path{fill:var(--own);stroke:var(--canvas);stroke-width:1.5}.badge "
        ".letter{fill:var(--canvas);font-size:11px;font-weight:700;text-anchor:middle}"
        ".found{fill:var(--own);font-size:11px;font-weight:700;paint-order:stroke;"
        "stroke:var(--canvas);stroke-width:3px}"
    )
