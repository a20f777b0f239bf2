"""Reports of 1,000 and 3,000 servers: the command, and the page in headless Chromium beside the page of ``view`` of the same network."""

from __future__ import annotations

import os
import shutil
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from estates import company, write
from measurement import Bench, Row, milliseconds, same
from pages import NAMES, RUNS

if TYPE_CHECKING:
    from playwright.sync_api import Page

GOAL_COMMAND_SECONDS = 5.0
SIZES = ((100, 1_000_000, 0.5, 0.050), (300, 2_000_000, 0.8, 0.100))
"""Hubs of ten servers each, the most bytes, the longest first draw and the longest time from a key to what it finds, in seconds."""
GOAL_CLICK_SECONDS = 0.1
GOAL_QUESTION_SECONDS = 0.05

# Until what an event leads to is on the screen.
_UNTIL_DRAWN = """(act) => new Promise((done) => {
    const start = performance.now();
    act();
    requestAnimationFrame(() => setTimeout(() => done((performance.now() - start) / 1000)));
})"""
_KEY = f"""(text) => ({_UNTIL_DRAWN})(() => {{
    const box = document.getElementById("search");
    box.focus();
    box.value = text;
    box.dispatchEvent(new Event("input", {{ bubbles: true }}));
}})"""
_CHOOSE = f"""() => ({_UNTIL_DRAWN})(() => document.getElementById("search").dispatchEvent(
    new KeyboardEvent("keydown", {{ key: "Enter", bubbles: true }})))"""
_ASK = """([from, to]) => {
    const start = performance.now();
    const found = window.topograph.ask({ question: "paths", from, to });
    return [(performance.now() - start) / 1000, found.answered];
}"""


def reports(bench: Bench) -> Iterator[Row]:
    """Each page is opened seven times, in turns with that of ``view``; what is found in it is compared with the network."""
    for hubs, most_bytes, first, key in SIZES:
        estate = company(hubs)
        servers = len(estate.servers)
        folder, snapshot = bench.folder / f"report-{hubs}", bench.folder / f"report-{hubs}.snapshot"
        write(estate, folder)
        bench.topograph("import", str(folder), "-o", str(snapshot), "--neo4j", "none")
        files = {"report": bench.folder / f"report-{hubs}.html", "view": bench.folder / f"view-{hubs}.html"}
        start = time.perf_counter()
        bench.topograph("report", "-s", str(snapshot), "-o", str(files["report"]))
        seconds = time.perf_counter() - start
        bench.topograph("view", "-s", str(snapshot), "-o", str(files["view"]))
        title = f"report of {servers:,} servers"
        if hubs == SIZES[0][0]:
            yield Row(f"{title}, the command", "", milliseconds(seconds), "", "≤ 5 s", seconds <= GOAL_COMMAND_SECONDS)
        else:
            yield Row(f"{title}, the command", "", milliseconds(seconds), "", "", True)
        size = files["report"].stat().st_size
        yield Row(f"{title}, size", "", f"{size / 1e6:.2f} MB", "", f"≤ {most_bytes / 1e6:.0f} MB", size <= most_bytes)
        yield from _opened(files, title, estate.servers, first, key)


def _opened(files: dict[str, Path], title: str, servers: list[str], first: float, key: float) -> Iterator[Row]:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise RuntimeError("pages are measured in Chromium, and there is none: apt-get install chromium")
    drawn: dict[str, list[float]] = {name: [] for name in files}
    found: dict[str, list[float]] = {"key": [], "click": [], "ask": []}
    requests: list[str] = []
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        for _ in range(RUNS):
            for name, file in files.items():
                context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
                page = context.new_page()
                address = file.as_uri()
                page.on(
                    "request", lambda request, own=address: requests.append(request.url) if request.url != own else None
                )
                page.goto(address)
                page.wait_for_selector("html[data-drawn]", state="attached", timeout=120_000)
                drawn[name].append(page.evaluate("window.topographDrawn") / 1000)
                if name == "report":
                    _used(page, servers, found)
                context.close()
        browser.close()
    same(f"requests of the {title}", requests, [])
    median = {name: statistics.median(seconds) for name, seconds in (drawn | found).items()}
    ratio = f"{median['report'] / median['view']:.2f}x the time"
    peer = f"page of view {milliseconds(median['view'])}"
    yield Row(
        f"{title}, first draw", peer, milliseconds(median["report"]), ratio, f"≤ {first} s", median["report"] <= first
    )
    yield Row(
        f"{title}, key to what it finds",
        "",
        milliseconds(median["key"]),
        "",
        f"≤ {key * 1000:.0f} ms",
        median["key"] <= key,
    )
    good = median["click"] <= GOAL_CLICK_SECONDS
    yield Row(f"{title}, choice to its details", "", milliseconds(median["click"]), "", "≤ 100 ms", good)
    good = median["ask"] <= GOAL_QUESTION_SECONDS
    yield Row(f"{title}, a question in it", "", milliseconds(median["ask"]), "", "≤ 50 ms", good)


def _used(page: Page, servers: list[str], found: dict[str, list[float]]) -> None:
    """One search, one choice and one question, each with what it has to give."""
    start, end = servers[-1], servers[1]
    found["key"].append(page.evaluate(_KEY, start))
    found["click"].append(page.evaluate(_CHOOSE))
    shown: dict[str, Any] = page.evaluate("window.topograph.shown()")
    same("the server chosen in a report", shown["selected"], start)
    seconds, answered = page.evaluate(_ASK, [start, end])
    same("a question in a report is answered", answered, True)
    found["ask"].append(seconds)
