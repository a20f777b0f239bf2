"""From the paths of an import to its networks: named, listed, and refused where they hold no main
file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from topograph.errors import InputError, UsageError
from topograph.importers.plan import FOUNDING, recognise
from topograph.importers.reading import Recognised
from topograph.opening.inputs import chosen_files, not_read, nothing_recognised, side_inputs_for
from topograph.opening.selection import Selection
from topograph.pipeline.progress import Watch, count
from topograph.store.listing import list_inputs, network_name, read_bytes

if TYPE_CHECKING:
    from topograph.redaction.key import Key


from topograph.pipeline.imported_network import ImportedNetwork


def named_paths(paths: Sequence[str | os.PathLike[str]], network: str | None) -> dict[str, Path]:
    """The paths by network name. Raises UsageError where two would share a name."""
    if not paths:
        raise UsageError("Name at least one folder (or file) with configuration files.")
    if network is not None and len(paths) > 1:
        raise UsageError(
            "--network names the network of one path; with several paths each is named "
            "after its last component."
        )
    if network is not None and not network.strip():
        raise UsageError("--network needs a name.")
    named: dict[str, Path] = {}
    for given in paths:
        path = Path(given)
        # A name that is no text (a folder named in another encoding) could not be written into a
        # table.
        name = (
            os.fsencode(network).decode("utf-8", "backslashreplace")
            if network
            else network_name(path)
        )
        if name in named:
            raise UsageError(
                f"{named[name]} and {path} would both be the network {name!r}. Import "
                "them one by one with --network."
            )
        named[name] = path
    return named


def list_networks(
    named: Mapping[str, Path],
    target: Path,
    config: str | os.PathLike[str] | None,
    watch: Watch,
    key: Key | None,
    chosen: Selection,
) -> list[ImportedNetwork]:
    """The networks, each with the files below its path that are part of the import."""
    with watch.stage("Listing files") as said:
        networks = [
            _listed(name, root, target, config, key, chosen) for name, root in named.items()
        ]
        skipped = sum(len(network.skipped) for network in networks)
        said(
            f"{count(sum(len(network.inputs) for network in networks), 'file')}, "
            f"{skipped:,} skipped"
        )
    return networks


def _listed(
    name: str,
    root: Path,
    target: Path,
    config: str | os.PathLike[str] | None,
    key: Key | None,
    chosen: Selection,
) -> ImportedNetwork:
    listing = chosen_files(list_inputs(root), chosen, config)
    # A snapshot that lies in the imported folder (``topograph import .``) is not part of the input.
    # (Joined with nothing, a folder ends with one separator, and so does the root of the disk.)
    own, base = (os.path.join(os.path.realpath(folder), "") for folder in (target, root))  # noqa: PTH118
    # Nothing that is listed lies outside of the root: links that lead out are not followed.
    apart = not own.startswith(base) and not base.startswith(own)
    inputs = tuple(
        file
        for file in listing.files
        if apart or not os.path.realpath(file.absolute).startswith(own)
    )
    findings = list(listing.findings)
    at_root: dict[str, bytes] = {}
    for file in inputs:
        if file.path == "topograph.yaml":
            # If it is gone already, the stage that recognises files says so.
            with contextlib.suppress(OSError):
                at_root[file.path] = read_bytes(file)
    side_inputs = side_inputs_for(config, at_root, findings, _told(key))
    reports, skipped = list(listing.reports), listing.skipped
    return ImportedNetwork(name, root, listing, inputs, side_inputs, findings, reports, skipped)


_LOOKED_AT = 2_000
"""Files that are looked at without waiting for Spark, the smallest first, and _LOOKED_INTO bytes
of them in all: then Spark looks on.
"""
_LOOKED_INTO = 20 * 2**20


def refuse_without_main(network: ImportedNetwork, key: Key | None) -> None:
    """Raise InputError for a folder without a main file or a dump now, while Spark's Java still
    starts; a large one is left to Spark.
    """
    recognised: list[Recognised] = []
    size = 0
    for file in sorted(network.inputs, key=lambda file: file.size):
        size += file.size
        if len(recognised) == _LOOKED_AT or size > _LOOKED_INTO:
            return
        try:
            recognised.append(recognise(file.path, read_bytes(file)))
        except OSError:
            return  # the stage that recognises files says what became of it
        if recognised[-1].role.use in FOUNDING:
            return
    raise InputError(without_main(network, recognised, key))


def without_main(network: ImportedNetwork, recognised: list[Recognised], key: Key | None) -> str:
    """What to tell a user whose folder holds nothing that is recognised as a server."""
    unread = not_read(network.findings)
    left_out = network.listing.left_out
    return nothing_recognised(str(network.root), recognised, unread, _told(key), left_out)


def _told(key: Key | None) -> Callable[[str], str]:
    """How a message about a file that is not among the imported ones is shown."""
    if key is None:
        return str
    from topograph.redaction.redactor import of_no_network

    return of_no_network(key).message


def free_name(name: str, taken: Mapping[str, object]) -> str:
    """The name, numbered if another network has it already once both are redacted."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}~{number}"
    return free
