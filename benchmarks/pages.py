"""A page of a thousand servers, and of three thousand as their zones, in headless Chromium: from
the start of the navigation to the first complete drawing.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from estates import company, write
from measurement import Bench, Row, milliseconds, same

from topograph.viz.scene.records import Scene

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
)
RUNS = 7
GOAL_SECONDS = 0.5
GOAL_SECONDS_ZONES = 0.8
GOAL_BYTES = 2_000_000

# A page marks its first complete drawing. Asking it again and again whether it has would take a
# tenth of a second of the thread that draws.
_SAY_WHEN_DRAWN = """new PerformanceObserver((list) => {
    if (list.getEntriesByName("topograph-drawn").length) console.debug("drawn");
}).observe({ type: "mark" });"""


def opened(context: BrowserContext, file: Path, requests: list[str]) -> tuple[Page, float]:
    """A page once it is drawn, and the seconds from the start of its navigation until then. What
    it requests besides itself goes to ``requests``.
    """
    page = context.new_page()
    page.add_init_script(_SAY_WHEN_DRAWN)
    address = file.as_uri()
    page.on(
        "request", lambda request: requests.append(request.url) if request.url != address else None
    )
    with page.expect_console_message(lambda message: message.text == "drawn", timeout=120_000):
        page.goto(address)
    page.wait_for_selector("html[data-drawn]", state="attached", timeout=120_000)
    return page, page.evaluate("window.topographDrawn") / 1000


def pages(bench: Bench) -> Iterator[Row]:
    """The whole network, and a reach with a path to each server; the peer is vis-network alone
    with the same servers, links and places.
    """
    import topograph
    from topograph.viz.view import View

    folder = bench.folder / "drawn"
    write(company(100), folder)
    network = topograph.read(folder)
    estate = network.scene(whole=True)
    reach = network.scene(network.reach("S00001"), whole=True)
    write(company(300), bench.folder / "drawn large")
    zones = topograph.read(bench.folder / "drawn large").scene()
    texts = {
        "network": View(estate).generate_html(),
        "reach": View(reach).generate_html(),
        "peer": _plain(estate),
    }
    texts["zones"] = View(zones).generate_html()
    for name, text in texts.items():
        (bench.folder / f"{name}.html").write_text(text, encoding="utf-8")
    seconds, requests, drawn = _drawn(bench, texts)
    same("discs in the picture of zones", drawn["zones"], len(zones.zones))
    same("servers in the pictures", drawn["network"], len(estate.servers))
    same("servers in the pictures", drawn["reach"], len(estate.servers))
    same("requests of the pages", requests, 0)
    peer = f"vis-network alone {milliseconds(seconds['peer'])}"
    for title, name in (
        ("first draw of 1,000 servers", "network"),
        ("the same with reach, a path to each", "reach"),
    ):
        ratio = f"{seconds[name] / seconds['peer']:.2f}x the time"
        yield Row(
            title,
            peer,
            milliseconds(seconds[name]),
            ratio,
            "≤ 0.5 s",
            seconds[name] <= GOAL_SECONDS,
        )
        size = len(texts[name].encode())
        yield Row(
            "the same, size of the file",
            "",
            f"{size / 1e6:.2f} MB",
            "",
            "≤ 2 MB",
            size <= GOAL_BYTES,
        )
    title = "first draw of 3,000 servers, as their zones"
    yield Row(
        title,
        peer,
        milliseconds(seconds["zones"]),
        "",
        "≤ 0.8 s",
        seconds["zones"] <= GOAL_SECONDS_ZONES,
    )
    yield Row("the same, size of the file", "", f"{len(texts['zones'].encode()) / 1e6:.2f} MB")


def _plain(scene: Scene) -> str:
    """The peer's page: what anyone would write by hand."""
    nodes = [
        {"id": s.name, "label": s.name, "x": s.x, "y": s.y, "shape": "dot"} for s in scene.servers
    ]
    edges = [{"from": link.ends[0], "to": link.ends[1], "arrows": "to"} for link in scene.links]
    vendor = resources.files("topograph.viz").joinpath("vendor")
    scripts = "".join(
        f"<script>{vendor.joinpath(f'{name}.min.js').read_text()}</script>"
        for name in ("vis-data", "vis-network")
    )
    return f"""<!DOCTYPE html><meta charset="utf-8"><div id="net" style="height: 700px"></div>{scripts}<script>
        const data = {{nodes: new vis.DataSet({json.dumps(nodes)}), edges: new vis.DataSet({json.dumps(edges)})}};
        const options = {{physics: false, layout: {{improvedLayout: false}}, edges: {{smooth: false}}}};
        new vis.Network(document.getElementById("net"), data, options)
            .once("afterDrawing", () => {{
                performance.mark("topograph-drawn");
                window.topographDrawn = performance.now();
                document.documentElement.dataset.drawn = "true";
            }});
    </script>"""  # noqa: E501


def _drawn(bench: Bench, texts: dict[str, str]) -> tuple[dict[str, float], int, dict[str, int]]:
    """The median seconds of each page, taken in turns; requests of our own pages; servers that
    they say they show.
    """
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise RuntimeError(
            "pages are measured in Chromium, and there is none: apt-get install chromium"
        )
    times: dict[str, list[float]] = {name: [] for name in texts}
    requests: list[str] = []
    shown: dict[str, int] = {}
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        for _ in range(RUNS):
            for name in texts:
                context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
                page, seconds = opened(context, bench.folder / f"{name}.html", requests)
                times[name].append(seconds)
                if name != "peer":
                    shown[name] = page.evaluate(
                        "(window.topograph.overview() || {discs: "
                        "window.topograph.shown().servers}).discs.length"
                    )
                context.close()
        browser.close()
    return {name: statistics.median(all_) for name, all_ in times.items()}, len(requests), shown
