"""The engine of pages: scripts that answer questions from the data of ``topograph.portable``, in a
browser as in node.

``engine.js`` is the entry, ``questions.js`` the table of questions, ``walks.js`` the walk. They
touch no document and name no vendor; together they are one function's body, so that none of their
names meets one of a page's own.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

SCRIPTS = (
    "arrays",
    "network",
    "walks",
    "simple_paths",
    "reached",
    "described",
    "least_cost",
    "selectors",
    "guards",
    "near",
    "publication",
    "messaging",
    "subscribers",
    "message_trace",
    "copies",
    "onward",
    "messages",
    "worked_out",
    "propagate",
    "questions",
    "commands",
    "engine",
)
"""The files in the order in which they stand in the script."""


@cache
def engine_script() -> str:
    """The script that defines ``topographEngine``: a declaration, to stand in front of what uses
    it.
    """
    here = resources.files("topograph.viz.page.engine")
    bodies = "\n".join(here.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    return (
        f'const topographEngine = (() => {{\n"use strict";\n{bodies}\nreturn '
        f"topographEngine;\n}})();\n"
    )
