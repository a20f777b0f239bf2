"""Reports of 1,000 and 3,000 servers: the command, and the page in headless Chromium beside the
page of ``view`` of the same network.
"""

from __future__ import annotations

import os
import shutil
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from estates import company, write
from measurement import Bench, Row, milliseconds, same
from pages import NAMES, RUNS, opened

if TYPE_CHECKING:
    from playwright.sync_api import Page


@dataclass(frozen=True, slots=True)
class Size:
    """Hubs of ten servers each, and the goals of their report: bytes, and seconds. ``command``
    is 0 where there is none.
    """

    hubs: int
    most_bytes: int
    command: float
    first_draw: float
    key: float


SIZES = (Size(100, 1_000_000, 5.0, 0.5, 0.050), Size(300, 2_000_000, 0, 0.8, 0.100))
GOAL_CLICK = 0.100
GOAL_QUESTION = 0.050
"""Seconds from what a reader does to the drawing of what comes of it."""

QUESTIONS = ("first question", "reach of one pair", "hops", "paths", "propagate", "reach of all")
"""The first is a reach too, once the page has been idle."""

# Seconds until what an act leads to is on the screen, and what the act gave.
_UNTIL_DRAWN = """(act) => new Promise((done) => {
    const start = performance.now();
    const given = act();
    requestAnimationFrame(() => setTimeout(() => done([(performance.now() - start) / 1000, given])));
})"""  # noqa: E501
_KEY = f"""(text) => ({_UNTIL_DRAWN})(() => {{
    const box = document.getElementById("search");
    box.focus();
    box.value = text;
    box.dispatchEvent(new Event("input", {{ bubbles: true }}));
}})"""
_CHOOSE = f"""() => ({_UNTIL_DRAWN})(() => {{
    document.getElementById("search").dispatchEvent(new KeyboardEvent("keydown", {{ key: "Enter", bubbles: true }}));
}})"""  # noqa: E501
_ASK = f"(asked) => ({_UNTIL_DRAWN})(() => window.topograph.ask(asked))"
_STILL = 500
"""Milliseconds after which movements of the picture have ended."""


def reports(bench: Bench, sizes: Sequence[Size] = SIZES, runs: int = RUNS) -> Iterator[Row]:
    """Each page is opened so many times, in turns with that of ``view``; what is found in it is
    compared with the network.
    """
    for size in sizes:
        estate = company(size.hubs)
        servers = estate.servers
        folder, snapshot = (
            bench.folder / f"report-{size.hubs}",
            bench.folder / f"report-{size.hubs}.snapshot",
        )
        write(estate, folder)
        bench.topograph("import", str(folder), "-o", str(snapshot), "--neo4j", "none")
        files = {name: bench.folder / f"{name}-{size.hubs}.html" for name in ("report", "view")}
        seconds = [_written(bench, snapshot, files["report"]) for _ in range(runs)]
        bench.topograph("view", "-s", str(snapshot), "-o", str(files["view"]))
        title = f"report of {len(servers):,} servers"
        yield _row(f"{title}, the command", statistics.median(seconds), size.command)
        for name, file in files.items():
            there = file.stat().st_size
            goal, met = (
                (f"≤ {size.most_bytes / 1e6:.0f} MB", there <= size.most_bytes)
                if name == "report"
                else ("", None)
            )
            yield Row(f"{title}, size of its {name}", "", f"{there / 1e6:.3f} MB", "", goal, met)
        yield from _opened(files, title, servers, size, runs)


def _written(bench: Bench, snapshot: Path, file: Path) -> float:
    start = time.perf_counter()
    bench.topograph("report", "-s", str(snapshot), "-o", str(file))
    return time.perf_counter() - start


def _row(work: str, seconds: float, goal: float, peer: str = "", ratio: str = "") -> Row:
    if not goal:
        return Row(work, peer, milliseconds(seconds), ratio)
    words = f"≤ {goal:g} s" if goal >= 0.5 else f"≤ {goal * 1000:.0f} ms"
    return Row(work, peer, milliseconds(seconds), ratio, words, seconds <= goal)


def _opened(
    files: Mapping[str, Path], title: str, servers: Sequence[str], size: Size, runs: int
) -> Iterator[Row]:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise RuntimeError(
            "pages are measured in Chromium, and there is none: apt-get install chromium"
        )
    drawn: dict[str, list[float]] = {name: [] for name in files}
    found: dict[str, list[float]] = {name: [] for name in (*QUESTIONS, "key", "click")}
    requests: list[str] = []
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        for _ in range(runs):
            for name, file in files.items():
                context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
                page, seconds = opened(context, file, requests)
                drawn[name].append(seconds)
                if name == "report":
                    _asked(page, servers, found)
                    _searched(page, servers[-1], found)
                context.close()
        browser.close()
    same(f"requests of the {title}", requests, [])
    median = {name: statistics.median(seconds) for name, seconds in (drawn | found).items()}
    ratio = f"{median['report'] / median['view']:.2f}x the time"
    peer = f"page of view {milliseconds(median['view'])}"
    yield _row(f"{title}, first draw", median["report"], size.first_draw, peer, ratio)
    yield _row(f"{title}, key to what it finds", median["key"], size.key)
    yield _row(f"{title}, choice to its details", median["click"], GOAL_CLICK)
    for question in QUESTIONS:
        yield _row(f"{title}, {question}", median[question], GOAL_QUESTION)


def _asked(page: Page, servers: Sequence[str], found: Mapping[str, list[float]]) -> None:
    """Every kind of question, asked and shown, each with what it has to give; then the answer is
    taken off the picture.
    """
    page.wait_for_selector(
        "#ask-examples:not([hidden])", timeout=120_000
    )  # offered when all that waited is done
    for question, asked in _questions(servers).items():
        page.wait_for_timeout(_STILL)
        seconds, answered = page.evaluate(_ASK, asked)
        same(f"whether a report answers {question}", answered, True)
        found[question].append(seconds)
        marks = page.evaluate("window.topograph.shown().marks")
        same(f"the server that {question} is asked from", marks[asked["from"]], "asked")
        if "to" in asked:
            same(f"the server that {question} is asked about", marks[asked["to"]], "target")
        if asked["kind"] == "reach-all":
            same("the servers reached", set(marks), set(servers))
    page.evaluate("document.getElementById('ask-clear').click()")
    page.wait_for_timeout(_STILL)


def _questions(servers: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What is asked, by the names of ``QUESTIONS``: from one end of the estate to the other."""
    near, far = {"from": servers[1]}, {"from": servers[-1]}
    return {
        "first question": {"kind": "reach", **near, "to": servers[-2]},
        "reach of one pair": {"kind": "reach", **far, "to": servers[2]},
        "hops": {"kind": "hops", **far, "to": servers[1]},
        "paths": {"kind": "paths", **far, "to": servers[3]},
        "propagate": {"kind": "propagate", **far, "destination": "topic:orders"},
        "reach of all": {"kind": "reach-all", **near},
    }


def _searched(page: Page, name: str, found: Mapping[str, list[float]]) -> None:
    """A name in the search, and the choice of what it finds."""
    found["key"].append(page.evaluate(_KEY, name)[0])
    found["click"].append(page.evaluate(_CHOOSE)[0])
    same("the server chosen in a report", page.evaluate("window.topograph.shown().selected"), name)
