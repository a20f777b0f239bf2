"""The page: one scene as one HTML file that needs nothing else, no network included.

``render`` puts together the template, the style, the scripts of ``script/`` and vis-network from ``vendor/``; ``embedding`` writes the data
into it. Start with ``template.html``, then ``script/main.js``. May import the scene and what texts are made of.

Everything that was read from a configuration is hostile: it goes into the markup through Jinja's autoescaping or as JSON escaped for a script
element, and from there to the document as text only. The content-security-policy lets run what this module put there, by hash, and nothing
else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from topograph.questions.texts.layout import count, plural_of
from topograph.viz.page.embedding import embedded, json_in_script
from topograph.viz.scene import Scene, StepDrawn

SCRIPTS = (
    "model",
    "colours",
    "view",
    "zones",
    "links",
    "servers",
    "labels",
    "document",
    "legend",
    "answer",
    "commands",
    "selection",
    "search",
    "keyboard",
    "main",
)
"""The files of ``script/`` in the order in which they stand in the page. Together they are one function's body."""
VENDORED = ("vis-data", "vis-network")
STEPS_AS_TEXT = 200
"""Steps that stand in the markup too, for readers without scripts; the data holds all."""


def render(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]], scene: Scene) -> str:
    """The page of ``scene`` as HTML.

    ``nodes`` and ``edges`` are pyvis' (``Network.nodes``, ``Network.edges``): what a user changed there wins over the scene's looks, as
    ``scene`` says. Equal arguments give equal text. Linear in the scene.
    """
    style, vendored, script = _parts()
    return _template().render(
        scene=scene,
        paths=_paths_as_text(scene),
        data=Markup(json_in_script(embedded(nodes, edges, scene))),  # noqa: S704 escaped for where it stands
        style=Markup(style),  # noqa: S704 our own
        vendored=[Markup(text) for text in vendored],  # noqa: S704 held by checksum
        script=Markup(script),  # noqa: S704 our own
        policy=_policy(),
    )


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


@cache
def _parts() -> tuple[str, tuple[str, ...], str]:
    """The style, the vendored scripts and our own."""
    here = resources.files("topograph.viz.page")
    vendor = resources.files("topograph.viz").joinpath("vendor")
    bodies = "\n".join(here.joinpath("script", f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    # A browser whose developer tools are open would look for the source maps.
    vendored = [
        re.sub(r"\n//# sourceMappingURL=.*", "", vendor.joinpath(f"{name}.min.js").read_text(encoding="utf-8"))
        for name in VENDORED
    ]
    style = here.joinpath("style.css").read_text(encoding="utf-8")
    return style, tuple(vendored), f'"use strict";\n(() => {{\n{bodies}\n}})();\n'


@cache
def _template() -> Template:
    source = resources.files("topograph.viz.page").joinpath("template.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["evidence"] = _evidence
    environment.filters["plural"] = plural_of
    environment.filters["pairs"] = lambda number: count(number, "pair")
    return environment.from_string(source)


def _evidence(step: StepDrawn) -> str:
    """What a step rests on, in one line; ``pathAsText`` in ``script/answer.js`` says the same."""
    said = [
        f"zone {step.zone}" if step.zone else "",
        f"rule {step.rule}" if step.rule else "",
        f"confidence {step.confidence}" if step.confidence else "",
        f"cost {step.cost}" if step.cost is not None else "",
    ]
    return ", ".join(filter(None, said))


@cache
def _policy() -> str:
    """The content-security-policy: nothing from anywhere, and of what stands in the page what has one of these hashes."""
    style, vendored, script = _parts()
    scripts = " ".join(_hash(text) for text in (*vendored, script))
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
