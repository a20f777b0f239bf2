"""The states of a network through time as one HTML file: a time line of moments, and for each the
picture of its state, on the same places, with what it changed in words.

``render`` fills ``template.html``; without scripts the page shows the last picture and lists what
every moment changed. As in every page (``topograph.viz.page``) all that was read from a
configuration is escaped, and the content-security-policy lets run what this module put there.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache

from jinja2 import Template
from markupsafe import Markup

from topograph.records import record
from topograph.version import __version__
from topograph.viz.page import Assets, bundle, environment, own_text
from topograph.viz.page.embedding import json_in_script
from topograph.viz.page.packing import packed
from topograph.viz.scene.records import Scene
from topograph.viz.svg.document import element_style
from topograph.viz.svg.states import state_elements

_PACKAGE = "topograph.viz.timeline"


class Kind(StrEnum):
    """What a moment is on the time line: its colour and its sign."""

    FIRST = "first"
    BETTER = "better"
    WORSE = "worse"
    OTHER = "other"
    SAME = "same"
    OPEN = "open"
    UNREAD = "unread"


WORDS = {
    Kind.FIRST: ("○", "the first state"),
    Kind.WORSE: ("−", "somebody is separated or gets less, or an error comes"),
    Kind.BETTER: ("+", "somebody is connected or gets more, and nobody less"),
    Kind.OTHER: ("~", "something else is different"),
    Kind.SAME: ("·", "files change, and nothing that the network does"),
    Kind.OPEN: ("?", "nobody can say whether anything is different"),
    Kind.UNREAD: ("×", "the state cannot be read"),
}
"""The sign of each kind, and what it means."""


@record
class Moment:
    """A moment of the time line: ``id`` names it in the address of the page, ``lines`` say what it
    changed. ``scene`` is the picture of its state; None where that is the one before, if any."""

    id: str
    when: str
    title: str
    kind: Kind
    lines: tuple[str, ...]
    scene: Scene | None = None

    @property
    def sign(self) -> str:
        """The sign on the time line."""
        return WORDS[self.kind][0]


def render(title: str, sentence: str, moments: Sequence[Moment], notes: Sequence[str] = ()) -> str:
    """The page as HTML; moments in the order of time. ``sentence`` is the answer, ``notes`` what is
    left out. Equal arguments give equal text, on one build of zlib. Linear in the scenes, beside
    the signs of each.
    """
    scenes = [one.scene for one in moments if one.scene is not None]
    pictures = state_elements(scenes, "still")
    number, shown = -1, []
    for one in moments:
        number += one.scene is not None
        shown.append(number)
    kinds = {one.kind for one in moments}
    return _template().render(
        **_assets().in_markup(),
        title=title,
        sentence=sentence,
        moments=moments,
        last=Markup(pictures[-1] if pictures else ""),  # noqa: S704
        pictures=[packed("pictures", pictures)],
        moments_data=Markup(  # noqa: S704
            json_in_script(
                [
                    {
                        "id": one.id,
                        "title": one.title,
                        "lines": one.lines,
                        "picture": picture,
                        "unread": one.kind is Kind.UNREAD,
                    }
                    for one, picture in zip(moments, shown, strict=True)
                ]
            )
        ),
        notes=notes,
        legend=[(kind, *WORDS[kind]) for kind in Kind if kind in kinds],
        version=__version__,
    )


@cache
def _assets() -> Assets:
    style = "\n".join(
        (
            own_text("style.css"),
            f".still {{ {element_style()} }}",
            own_text("style.css", _PACKAGE),
        )
    )
    return Assets(style, (), bundle("timeline"))


@cache
def _template() -> Template:
    return environment(lambda name: own_text(name, _PACKAGE)).get_template("template.html")
