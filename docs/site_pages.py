"""What the site of the documentation (``./dev docs``) needs beside the pages of ``docs``.

The README, the changelog and the pages of the examples are pages of the site too. Links are written
for a reader of the repository: those to a page of the site are kept, those to any other file of the
repository become its name, and a link to nothing is left for mkdocs to refuse.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
FROM_ELSEWHERE = {
    "index.md": "README.md",
    **{name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")},
    **{f"examples/{page.name}": f"examples/{page.name}" for page in ROOT.glob("examples/*.md")},
}
"""Pages of the site by the files of the repository that they are made of."""

_LISTED = re.compile(r"\]\(([\w.-]+\.md)\)")
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
_ITEM = re.compile(r" *(?:[*+-]|\d+\.) ")
_FENCED = re.compile(r"(^ *(?:```|~~~).*?^ *(?:```|~~~) *$)", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r" *(```|~~~)")


def on_config(config: Any) -> Any:
    """The pages of the folders that are entries of the navigation: README.md first, then in the
    order in which it lists them, then by name.
    """
    for section in config.nav:
        for entries in section.values() if isinstance(section, dict) else []:
            for entry in entries if isinstance(entries, list) else []:
                for title, folder in entry.items() if isinstance(entry, dict) else []:
                    if isinstance(folder, str) and folder.endswith("/"):
                        entry[title] = [f"{folder}{name}" for name in _in_order(folder)]
    return config


def _in_order(folder: str) -> list[str]:
    """The names of the pages of a folder of ``docs``, in the order of the navigation."""
    pages = {page.name: page for page in sorted((ROOT / "docs" / folder).glob("*.md"))}
    first = pages.get("README.md")
    listed = ["README.md", *(_LISTED.findall(first.read_text("utf-8")) if first else ())]
    return [name for name in dict.fromkeys((*listed, *pages)) if name in pages]


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that are made of files outside ``docs``."""
    for page, file in FROM_ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / file).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """A page with the links of the site and with lists as Python-Markdown reads them."""
    at = page.file.src_uri
    parts = _FENCED.split("\n".join(_lines(markdown)))
    # A link may stand on two lines; every second part is a fenced block.
    return "".join(
        part if number % 2 else _LINK.sub(lambda link: _linked(link, at, files), part)
        for number, part in enumerate(parts)
    )


def _lines(markdown: str) -> Iterator[str]:
    fenced, before = False, ""
    for line in markdown.split("\n"):
        fence = _FENCE.match(line)
        if fence:
            fenced = not fenced
        if fenced or fence:
            yield line
        else:
            item = _ITEM.match(line)
            # On GitHub a list may follow its sentence at once; Python-Markdown wants a line
            # between.
            if item and before.strip() and not _ITEM.match(before) and not before.startswith(" "):
                yield ""
            indent = len(line) - len(line.lstrip(" "))
            # A list within a list is indented by two here, and by four in Python-Markdown.
            yield " " * indent + line
        before = line


def _linked(link: re.Match[str], at: str, files: Files) -> str:
    mark, text, target = link.groups()
    if target.startswith(("#", "http:", "https:", "mailto:")):
        return link[0]
    name, hash_mark, anchor = target.partition("#")
    own = FROM_ELSEWHERE.get(at, f"docs/{at}")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(own), name))
    if (ROOT / file / "README.md").is_file():
        file = posixpath.join(file, "README.md")
    found = _page_of(file, files)
    if found is None:
        return text if (ROOT / file).exists() else link[0]
    there = posixpath.relpath(found, posixpath.dirname(at) or ".")
    return f"{mark}[{text}]({there}{hash_mark}{anchor})"


def _page_of(file: str, files: Files) -> str | None:
    for page, source in FROM_ELSEWHERE.items():
        if source == file:
            return page
    inside = file.removeprefix("docs/")
    kept = files.get_file_from_path(inside) if inside != file else None
    return inside if kept is not None and not kept.inclusion.is_excluded() else None
