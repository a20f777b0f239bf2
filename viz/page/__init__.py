"""The page: one scene as one HTML file that needs nothing else, no network included.

``render`` puts together the template, the style, the bundle of the modules of ``script/`` and
vis-network from ``vendor/``; ``embedding`` writes the data into it. Start with ``template.html``,
then ``script/main.js``. ``picture.html`` and ``panel.html`` are the picture itself, which other
pages include too. May import the scene and what texts are made of.

A page runs what stands in ``bundles/``: ``./dev vendor`` makes it of the modules.

Everything that was read from a configuration is hostile: it goes into the markup through Jinja's
autoescaping or as JSON escaped for a script element, and from there to the document as text only.
The content-security-policy lets run what this module put there, by hash, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from topograph.questions.texts.layout import count, plural_of
from topograph.records import record
from topograph.viz.page.embedding import embedded
from topograph.viz.page.form import Form
from topograph.viz.page.packing import deflated, packed, plain
from topograph.viz.scene.basis import KINDS, grouped, headline
from topograph.viz.scene.checked import counted, line
from topograph.viz.scene.elements import edges_of, nodes_of
from topograph.viz.scene.neighbourhood import READABLE
from topograph.viz.scene.records import Scene, StepDrawn
from topograph.viz.scene.stops import causes_of
from topograph.viz.svg.document import element, element_style
from topograph.words.visible import clean, readable, shortened

VENDORED = ("vis-network",)
STEPS_AS_TEXT = 200
"""Steps that stand in the markup too, for readers without scripts; the data holds all."""

DRAWING = 128_000
"""Characters of a drawing that stands in the markup too, for readers without scripts: that of
300 servers, or of 300 zones. Of a larger one the page says how to get it.
"""


def render(
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    scene: Scene,
    form: Form | None = None,
) -> str:
    """The page of ``scene`` as HTML.

    ``nodes`` and ``edges`` are pyvis' (``Network.nodes``, ``Network.edges``): what a user changed
    there wins over the scene's looks, as ``scene`` says. With ``form`` the page answers questions.
    Equal arguments give equal text, on one build of zlib. Linear in the scene and the form's data.
    """
    # What a person or another program may want to read in the file is packed where it is long only.
    write = plain if len(nodes) <= READABLE else packed
    data = [write("data", embedded(nodes, edges, scene))]
    return _template().render(
        **picture_values(scene),
        drawing_without_scripts=_drawing(scene),
        **assets().in_markup(),
        **(form.values() if form else {}),
        asking=form is not None,
        embedded=[*data, *(packed(*one) for one in (form.data(scene) if form else ()))],
        code=assets().packed,
    )


def _drawing(scene: Scene) -> Markup:
    """The drawing for readers without scripts; "" where it would make the page too large."""
    drawing = element(scene, "still", titled=False)
    return Markup(drawing if len(drawing) <= DRAWING else "")  # noqa: S704


def page_of(scene: Scene, form: Form | None = None) -> str:
    """The page of ``scene`` as nobody changed it. Linear in the scene and the form's data."""
    return render(nodes_of(scene), edges_of(scene), scene, form)


def _paths_as_text(scene: Scene) -> list[dict[str, Any]]:
    """The first paths, as many as have ``STEPS_AS_TEXT`` steps together, and at least one."""
    shown: list[dict[str, Any]] = []
    left = STEPS_AS_TEXT
    for path in scene.paths:
        left -= len(path.steps)
        if shown and left < 0:
            break
        shown.append({"title": path.title, "steps": path.steps})
    return shown


@record(slots=False)
class Assets:
    """What a page runs and looks like: nothing else may run in it or style it. ``script`` unpacks
    what is ``vendored``, of which the last is our own; the markup has these ``packed``."""

    style: str
    vendored: tuple[str, ...]
    script: str

    @cached_property
    def policy(self) -> str:
        """The content-security-policy: nothing from anywhere, and of what stands in the page
        what has one of these hashes.
        """
        scripts = " ".join(_hash(text) for text in (*self.vendored, self.script))
        return (
            f"default-src 'none'; script-src {scripts}; style-src {_hash(self.style)}; "
            "img-src data:; "
            "base-uri 'none'; form-action 'none'"
        )

    @cached_property
    def packed(self) -> tuple[Markup, ...]:
        """What is ``vendored``, as the markup has it."""
        return tuple(Markup(deflated(text)) for text in self.vendored)  # noqa: S704

    def in_markup(self) -> dict[str, object]:
        """The values that templates name ``style``, ``script`` and ``policy``."""
        return {
            "style": Markup(self.style),  # noqa: S704
            "script": Markup(self.script),  # noqa: S704
            "policy": self.policy,
        }


@cache
def assets() -> Assets:
    """Those of the page of a picture."""
    style = "\n".join(
        (own_text("style.css"), f".still {{ {element_style()} }}", own_text("ask.css"))
    )
    return Assets(style, (*vendored(), bundle("picture")), bundle("unpack"))


def own_text(name: str, package: str = "topograph.viz.page") -> str:
    """A file of this folder (or of another package of pages), such as ``style.css``."""
    return resources.files(package).joinpath(*name.split("/")).read_text(encoding="utf-8")


@cache
def bundle(name: str) -> str:
    """The modules of a kind of page as one script: ``picture``, ``report``, ``unpack``, which
    unpacks the others, or ``engine``.
    """
    return own_text(f"bundles/{name}.js", "topograph.viz")


@cache
def vendored() -> tuple[str, ...]:
    """vis-network with all that it needs (``vendor/README.md``)."""
    return tuple(own_text(f"vendor/{name}.min.js", "topograph.viz") for name in VENDORED)


def picture_values(scene: Scene) -> dict[str, object]:
    """What ``picture.html`` and ``panel.html`` are filled with, which make the picture of any
    page.
    """
    return {
        "scene": scene,
        "paths": _paths_as_text(scene),
        "causes": causes_of(scene.blocks),
        "found_line": line(scene.checked),
        "found_count": counted(scene.checked or ()),
        "headline": headline(scene.facts),
        "basis": grouped(scene.facts),
        "kinds": KINDS,
    }


def environment(load: Callable[[str], str] = own_text) -> Environment:
    """Templates with autoescaping, and what all pages' templates call. ``load`` gives a
    template's text by its name.
    """
    found = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(load),
    )
    found.finalize = _readable
    found.filters["exactly"] = escape
    found.filters["brief"] = _brief
    found.filters["evidence"] = _evidence
    found.filters["plural"] = plural_of
    found.filters["pairs"] = lambda number: count(number, "ordered pair")
    return found


@cache
def _template() -> Template:
    return environment().get_template("template.html")


def _readable(value: object) -> object:
    """What stands in the markup of a text: no control character and no direction override, and
    what runs from right to left apart.
    """
    return "\n".join(map(readable, value.split("\n"))) if type(value) is str else value


LONGEST_WORD, CUT_WORD = 48, 30
"""Characters of a word, a name mostly, that a headline shows, and those it shows of a longer
one; the scripts have the same numbers.
"""


def _brief(text: str) -> Markup:
    """A sentence whose long words are without their middle; pressing one shows the whole of it
    (``script/cuts.js``).
    """
    if all(len(word) <= LONGEST_WORD for word in text.split(" ")):
        return escape(readable(text))
    return Markup(" ").join(
        Markup(
            '<button type="button" class="cut" data-whole="{0}" title="{1}">{2}</button>'
        ).format(word, clean(word), readable(shortened(clean(word), CUT_WORD)))
        if len(word) > LONGEST_WORD
        else readable(word)
        for word in text.split(" ")
    )


def _evidence(step: StepDrawn) -> str:
    """What a step rests on, in one line; ``pathAsText`` in ``script/answer.js`` says the same."""
    said = [
        f"zone {step.zone}" if step.zone else "",
        f"rule {step.rule}" if step.rule else "",
        f"confidence {step.confidence}" if step.confidence else "",
        f"cost {step.cost}" if step.cost is not None else "",
    ]
    return ", ".join(filter(None, said))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
