"""Takes the screenshots of README.md and the pages anew, in a real Chromium.

``python docs/make_images.py`` writes ``docs/images``. Look at the pictures before they are
committed: no test compares them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from click.testing import CliRunner
from playwright.sync_api import sync_playwright

from topograph.cli.group import topograph

ROOT = Path(__file__).resolve().parents[1]
IMAGES = {
    "view.png": (
        "view propagate USA-EAST --destination topic:orders --set country=Canada "
        "-s examples/estate",
        (1280, 840, 1.5),
    ),
    "audit.png": (
        "view audit --change G=examples/changes/route-g-a.txt "
        "-s examples/two-1hop-zones/legal",
        (1280, 840, 1.5),
    ),
    "report.png": ("report -s examples/estate", (1280, 900, 1)),
}
"""By name: the command, and the window with its pixels a point."""


def main() -> None:
    """Write each picture of IMAGES."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with (
        contextlib.chdir(ROOT),
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        for name, (command, (width, height, scale)) in IMAGES.items():
            page_file = Path(folder, f"{name}.html")
            words = [*command.split(), "-o", str(page_file)]
            CliRunner().invoke(topograph, words, catch_exceptions=False)
            page = browser.new_page(
                viewport={"width": width, "height": height}, device_scale_factor=scale
            )
            page.goto(page_file.as_uri())
            page.wait_for_timeout(1_500)
            page.screenshot(path=ROOT / "docs" / "images" / name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
