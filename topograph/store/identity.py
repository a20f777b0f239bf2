"""What makes a snapshot the same: the id of its inputs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any

from topograph.facts.plain import to_plain
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.store.snapshot import SCHEMA_VERSION
from topograph.version import __version__


@record
class NetworkInputs:
    """What one network was imported from: ``files`` maps the path relative to the root to the
    SHA-256 of the content, ``skipped`` the path of a file that was listed and not read to the
    kind of the finding that says why."""

    files: Mapping[str, str]
    skipped: Mapping[str, str] = field(default_factory=dict)
    side_inputs: SideInputs = field(default_factory=SideInputs)


def snapshot_id(networks: Mapping[str, NetworkInputs], options: Mapping[str, object]) -> str:
    """The id of a snapshot: 32 hexadecimal digits of the SHA-256 of everything it follows from.

    That is the inputs of each network by name, the options that change what is read, the schema and
    the tool version; not where the inputs lay or when they were read.
    """
    digest = hashlib.sha256()
    for part in _canonical(networks, options):
        digest.update(part.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def _canonical(
    networks: Mapping[str, NetworkInputs], options: Mapping[str, object]
) -> Iterator[str]:
    """What the id is a digest of, as JSON with sorted keys; one network at a time, as it may have
    millions of files."""
    dumps = partial(json.dumps, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    yield '{"networks":{'
    for number, name in enumerate(sorted(networks)):
        inputs = networks[name]
        text = {
            "files": dict(inputs.files),
            "skipped": dict(inputs.skipped),
            "side_inputs": _stated(inputs.side_inputs),
        }
        yield f"{',' if number else ''}{dumps(name)}:{dumps(text)}"
    rest = {"options": dict(options), "schema": SCHEMA_VERSION, "tool": __version__}
    yield f"}},{dumps(rest)[1:]}"


_NOTHING_IF_EMPTY = frozenset(
    {
        *("suspended", "new", "left_out", "contradictions", "choices", "include", "exclude"),
        *("waivers", "owners"),
    }
)
"""Sections of topograph.yaml that are no part of an id where they are empty."""


def _stated(side_inputs: SideInputs) -> dict[str, Any]:
    followed = replace(side_inputs, contradictions=(), choices=())  # they follow from the files
    sections = to_plain(followed).items()
    return {name: value for name, value in sections if value or name not in _NOTHING_IF_EMPTY}
