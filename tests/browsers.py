"""The Chromium that pages are tested in: the system's own, found under its usual names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
)
"""The first is Chromium without windows: the same engine, for half of the processor's time."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window. Fails where none is installed."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.fail(
            "The pages are tested in a real browser and there is none: apt-get install chromium",
            pytrace=False,
        )
    # Chromium refuses its sandbox to root, which containers and CI are.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=arguments)
        try:
            yield opened
        finally:
            opened.close()
