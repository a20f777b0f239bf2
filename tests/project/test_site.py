"""The documentation as a site: ``./dev docs`` builds it, and refuses what leads nowhere."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def built(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [
        str(ROOT / ".venv" / "docs" / "bin" / "mkdocs"),
        "build",
        "--clean",
        "--site-dir",
        str(site),
    ]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built by the command that is documented."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        ["./dev", "docs", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.mark.slow
def test_every_page_of_the_documentation_is_a_page_of_the_site(site: Path) -> None:
    pages = {
        page.relative_to(ROOT / "docs").with_suffix(".html")
        for page in (ROOT / "docs").rglob("*.md")
    }
    pages |= {page.relative_to(ROOT).with_suffix(".html") for page in ROOT.glob("examples/*.md")}
    made = {page.relative_to(site) for page in site.rglob("*.html")}
    # A README is the first page of its folder.
    expected = {
        page.with_name("index.html") if page.name == "README.html" else page for page in pages
    }
    assert expected - made == set()
    assert {Path("index.html"), Path("CHANGELOG.html"), Path("CONTRIBUTING.html")} <= made


@pytest.mark.slow
def test_the_reference_of_python_names_every_method_of_a_network(site: Path) -> None:
    from topograph import Network

    page = (site / "python.html").read_text("utf-8")
    public = [name for name in vars(Network) if not name.startswith("_")]
    missing = [name for name in public if f'id="topograph.network.Network.{name}"' not in page]
    assert missing == []


@pytest.mark.slow
def test_links_of_the_site_lead_to_its_pages(site: Path) -> None:
    lost = []
    for page in site.rglob("*.html"):
        if page.name == "404.html":  # its links are for any address
            continue
        for target in re.findall(r'<a [^>]*href="(?![a-z]+:)([^"#]+)', page.read_text("utf-8")):
            if not (page.parent / target).exists():
                lost.append(f"{page.relative_to(site)}: {target}")
    assert lost == []


ONE_PAGE = f"""\
INHERIT: {ROOT / "mkdocs.yml"}
docs_dir: docs
nav: [index.md]
hooks: []
plugins: [search]
"""
"""The settings of the site, for a site of one page."""


@pytest.mark.slow
@pytest.mark.parametrize("link", ["index.md", "nothing.md", "index.md#nothing"])
def test_a_link_to_nothing_is_refused(tmp_path: Path, link: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# A page\n\nSee [here]({link}).\n", "utf-8")
    (tmp_path / "mkdocs.yml").write_text(ONE_PAGE, "utf-8")
    done = built(tmp_path, tmp_path / "site")
    assert (done.returncode == 0) is ("nothing" not in link), done.stderr
    assert ("WARNING" in done.stderr) is ("nothing" in link)
