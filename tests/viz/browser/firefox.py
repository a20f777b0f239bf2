"""Firefox without a window, driven by WebDriver BiDi, which it speaks itself: no driver program,
no patched browser.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

_PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "toolkit.telemetry.enabled": False,
}

# What the page does that its policy refuses is told to the page alone.
_WATCH = """() => {
    window.refused = [];
    document.addEventListener("securitypolicyviolation", (event) => {
        window.refused.push(`${event.violatedDirective} ${event.blockedURI}`);
    });
}"""


class Firefox:
    """One running Firefox. ``said`` is what the page wrote on the console, ``requests`` the
    addresses it asked for, both since ``open``."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._context = ""
        self.said: list[str] = []
        self.requests: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command; what happens in the meantime is kept. Raises RuntimeError
        with Firefox's words where it refuses.
        """
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._connection.recv(timeout=60))
            if told.get("id") == number:
                if told["type"] == "error":
                    raise RuntimeError(f"{method}: {told['error']}: {told['message']}")
                return told["result"]
            if told["method"] == "log.entryAdded":
                self.said.append(told["params"]["text"])
            elif told["method"] == "network.beforeRequestSent":
                self.requests.append(told["params"]["request"]["url"])

    def start(self) -> None:
        """Begin the session, and watch."""
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.call("script.addPreloadScript", functionDeclaration=_WATCH)
        self._context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, file: Path, fragment: str = "") -> None:
        """Open a page and wait until it is loaded and drawn."""
        address = file.resolve().as_uri() + fragment
        self.said, self.requests = [], []
        self.call("browsingContext.navigate", context=self._context, url=address, wait="complete")
        self.evaluate(
            """new Promise((done) => {
                const look = () => document.documentElement.hasAttribute("data-drawn") ? done(true) : setTimeout(look, 20);
                look();
            })"""  # noqa: E501
        )
        self.requests = [
            url for url in self.requests if url != address and not url.startswith("data:")
        ]

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, which must be one that JSON can hold; a
        promise is waited for.
        """
        told = self.call(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value))",
            target={"context": self._context},
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise RuntimeError(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"]) if told["result"]["type"] == "string" else None


@contextmanager
def running(program: str, profile: Path) -> Iterator[Firefox]:
    """A Firefox with a new profile, which ends with the block."""
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
        for name, value in _PREFERENCES.items()
    ]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    said = profile / "said.txt"
    with said.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-remote",
                "--profile",
                str(profile),
                "--remote-debugging-port",
                "0",
            ],
            stderr=errors,
        )
        try:
            with connect(_address(process, said) + "/session", max_size=None) as connection:
                firefox = Firefox(connection)
                firefox.start()
                yield firefox
                firefox.call("browser.close")
                process.wait(30)
        finally:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], said: Path) -> str:
    """Where it listens, as soon as it says so."""
    for _ in range(600):
        if found := _LISTENS.search(said.read_text(encoding="utf-8", errors="replace")):
            return found[1]
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        break
    raise RuntimeError(
        f"Firefox does not listen: {said.read_text(encoding='utf-8', errors='replace')[-2000:]}"
    )
