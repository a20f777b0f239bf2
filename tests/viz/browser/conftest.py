"""A real Chromium, driven by playwright. There is no test without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browsers import chromium
from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window. Fails where none is installed."""
    with chromium() as opened:
        yield opened


@dataclass
class Opened:
    """A page and what it did: every request but the one for itself, all it said on the console,
    and every dialog.
    """

    page: Page
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def shown(self) -> dict[str, Any]:
        """What the picture shows at the moment."""
        return self.page.evaluate("window.topograph.shown()")

    def colour_at(self, place: dict[str, float]) -> str:
        """The colour of the canvas at a place on the page, as ``#rrggbb``."""
        return self.page.evaluate(
            """({x, y}) => {
                const canvas = document.querySelector("#canvas canvas"), corner = canvas.getBoundingClientRect();
                const ratio = canvas.width / corner.width;
                const copy = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
                copy.drawImage(canvas, -Math.round((x - corner.left) * ratio), -Math.round((y - corner.top) * ratio));
                return "#" + [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, "0")).join("");
            }""",  # noqa: E501
            place,
        )

    def place(self, server: str) -> dict[str, float]:
        """Where the sign of a server is on the page."""
        return self.page.evaluate("(name) => window.topograph.server(name)", server)

    def middle(self, server: str) -> dict[str, float]:
        """Where the middle of a server is on the page: of a box another place than its sign."""
        return self.page.evaluate(
            """(name) => {
                const corner = document.getElementById("canvas").getBoundingClientRect();
                const { servers } = window.topograph.geometry();
                const { body } = servers.find((one) => one.name === name);
                return {
                    x: (body.left + body.right) / 2 + corner.left,
                    y: (body.top + body.bottom) / 2 + corner.top,
                };
            }""",
            server,
        )

    def sign(self, at: str, to: str) -> dict[str, float]:
        """Where on the page the stop sign of the link from one server to another is."""
        return self.page.evaluate(
            """([at, to]) => {
                const corner = document.getElementById("canvas").getBoundingClientRect();
                const { x, y } = window.topograph.geometry().signs.find(({ blocks }) =>
                    blocks.some((block) => block.at === at && block.to === to));
                return { x: x + corner.left, y: y + corner.top };
            }""",
            [at, to],
        )

    def along(self, from_: str, to: str, part: float) -> dict[str, float]:
        """Where a part of the link between two servers is on the page: 0 at the first, 1 at the
        second.
        """
        return self.page.evaluate(
            "([from, to, t]) => window.topograph.between(from, to, t)", [from_, to, part]
        )

    def settle(self) -> None:
        """Wait until movements have ended and what they led to is drawn. A movement takes a number
        of frames, however long a busy machine takes for each: the camera must stay for some.
        """
        self.page.evaluate(
            """async () => {
                const frame = () => new Promise(requestAnimationFrame);
                const camera = () => JSON.stringify(window.topograph?.camera?.());
                await new Promise((done) => setTimeout(done, 450));
                for (let before = camera(), still = 0; still < 4; ) {
                    await frame();
                    const now = camera();
                    still = now === before ? still + 1 : 0;
                    before = now;
                }
            }"""
        )


Open = Callable[..., Opened]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a page's text from a file, offline, and waits until it is drawn. Options go to the
    browser's context. Afterwards nothing may have been requested, said or asked that the test
    did not take away itself."""
    contexts, pages = [], []

    def open_(
        html: str, *, width: int = 1280, height: int = 800, drawn: bool = True, **options: Any
    ) -> Opened:
        path = tmp_path / f"page-{len(pages)}.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, **options
        )
        contexts.append(context)
        opened = Opened(context.new_page())
        pages.append(opened)
        opened.page.on("request", lambda request: opened.requests.append(request.url))
        opened.page.on(
            "console", lambda message: opened.said.append(f"{message.type}: {message.text}")
        )
        opened.page.on("pageerror", lambda error: opened.said.append(str(error)))
        opened.page.on(
            "dialog", lambda dialog: (opened.dialogs.append(dialog.message), dialog.dismiss())
        )
        opened.page.goto(path.as_uri())
        opened.requests.remove(path.as_uri())
        if drawn:
            # Not wait_for_function, which polls with eval: the page's policy refuses that.
            opened.page.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
            # Of a report: what questions need is unpacked behind the drawing.
            opened.page.wait_for_selector("script[type='application/zlib']", state="detached")
        return opened

    yield open_
    for context in contexts:
        context.close()
    for opened in pages:
        assert (opened.requests, opened.said, opened.dialogs) == ([], [], [])
