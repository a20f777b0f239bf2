"""The engine of pages in a real browser, bundled and under the policy of the pages: it says what
its modules say in node.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
from pathlib import Path

from portable.comparing import about_pairs, models_of
from portable.node_engine import node_engine

from topograph.opening.folders import read_snapshot
from topograph.portable import engine_data
from topograph.viz.page import bundle
from topograph.viz.page.embedding import json_in_script

EXAMPLES = Path(__file__).parents[3] / "examples"

RUN = """
const given = JSON.parse(document.getElementById("data").textContent);
window.topograph = given.map(({data, ask}) => {
  const engine = portable.topographEngine(data);
  return ask.map((asked) => engine.ask(asked));
});
document.documentElement.dataset.drawn = "";
"""


def page(given: object) -> str:
    script = f'"use strict";\n(() => {{\n{bundle("engine")}\n{RUN}\n}})();\n'
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta '
        f'http-equiv="Content-Security-Policy" content="{policy}">'
        '<title>engine</title></head><body><script type="application/json" '
        f'id="data">{json_in_script(given)}</script>'
        f"<script>{script}</script></body></html>"
    )


def test_the_engine_answers_in_a_browser_as_in_node(open_page, tmp_path: Path) -> None:
    given = []
    for example in ("estate", "mhop-star/with-b-d", "mixed", "routers"):
        for model in models_of(read_snapshot(EXAMPLES / example)):
            asked = about_pairs(model.server_names(), random.Random(1), 60)
            given.append({"data": engine_data(model), "ask": asked})
    opened = open_page(page(given))
    in_browser = opened.page.evaluate("JSON.stringify(window.topograph)")
    with node_engine(tmp_path) as engine:
        for case, told in zip(given, json.loads(in_browser), strict=True):
            engine.load(case["data"])
            assert told == engine.ask(case["ask"])
            assert any(one["answered"] for one in told)
