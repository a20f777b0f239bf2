"""From the paths of an import to its networks: named, listed, and refused where they hold no main
file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from topograph.credentials import without_user_info
from topograph.errors import InputError, UsageError
from topograph.facts.plain import to_plain
from topograph.importers.plan import FOUNDING, recognise
from topograph.importers.reading import Recognised
from topograph.local_paths import is_storage, scheme_of
from topograph.opening.inputs import chosen_files, not_read, nothing_recognised, side_inputs_for
from topograph.opening.selection import Selection
from topograph.pipeline import hadoop
from topograph.pipeline.file_columns import FileList
from topograph.pipeline.imported_network import ImportedNetwork
from topograph.pipeline.packed_rows import PackedRows
from topograph.pipeline.places import content
from topograph.pipeline.progress import Watch, count
from topograph.pipeline.stamps import Stamps, is_timed_by_store, stamps_of, stored_stamps
from topograph.pipeline.stored_listing import list_stored, name_in
from topograph.store.listing import InputFile, Listing, list_inputs, network_name, read_bytes

if TYPE_CHECKING:
    from topograph.findings import Finding
    from topograph.redaction.key import Key
    from topograph.side_inputs import SideInputs


def named_paths(paths: Sequence[str], network: str | None) -> dict[str, str]:
    """The paths, and URLs of storage, by network name. Raises UsageError where two would share a
    name."""
    if not paths:
        raise UsageError("Name at least one folder (or file) with configuration files.")
    if network is not None and len(paths) > 1:
        raise UsageError(
            "--network names the network of one path; with several paths each is named "
            "after its last component."
        )
    if network is not None and not network.strip():
        raise UsageError("--network needs a name.")
    named: dict[str, str] = {}
    for path in paths:
        # A name that is no text (a folder named in another encoding) could not be written into a
        # table.
        name = (
            os.fsencode(network).decode("utf-8", "backslashreplace")
            if network
            else name_in(path)
            if is_storage(path)
            else network_name(Path(path))
        )
        if name in named:
            raise UsageError(
                f"{_shown(named[name])} and {_shown(path)} would both be the network {name!r}. "
                "Import them one by one with --network."
            )
        named[name] = path
    return named


def _shown(path: str) -> str:
    return without_user_info(path, urls_only=True)


def list_networks(
    named: Mapping[str, str],
    target: str,
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
            f"{count(sum(len(network.files) for network in networks), 'file')}, {skipped:,} skipped"
        )
    return networks


def _listed(
    name: str,
    root: str,
    target: str,
    config: str | os.PathLike[str] | None,
    key: Key | None,
    chosen: Selection,
) -> ImportedNetwork:
    if is_storage(root):
        return _listed_in_storage(name, root, config, key, chosen)
    listing = chosen_files(list_inputs(Path(root)), chosen, config)
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
    stamps = stamps_of(inputs)  # before anything is read
    return _with_side_inputs(name, root, listing, inputs, config, key, stamps)


def _listed_in_storage(
    name: str,
    root: str,
    config: str | os.PathLike[str] | None,
    key: Key | None,
    chosen: Selection,
) -> ImportedNetwork:
    modified: dict[str, int] = {}
    found = list_stored(hadoop.files(), root, modified=modified)
    listed = {file.path: file for file in found.files}
    listing = chosen_files(found, chosen, config, lambda path: content(listed[path]))
    stamps = None
    if is_timed_by_store(scheme_of(root)):
        stamps = stored_stamps(listing.files, modified)
    return _with_side_inputs(name, root, listing, listing.files, config, key, stamps)


def _with_side_inputs(
    name: str,
    root: str,
    listing: Listing,
    inputs: tuple[InputFile, ...],
    config: str | os.PathLike[str] | None,
    key: Key | None,
    stamps: Stamps | None = None,
) -> ImportedNetwork:
    findings = list(listing.findings)
    at_root: dict[str, bytes] = {}
    for file in inputs:
        if file.path == "topograph.yaml":
            # If it is gone already, the stage that recognises files says so.
            with contextlib.suppress(OSError):
                at_root[file.path] = content(file)
    side_inputs = side_inputs_for(config, at_root, findings, _told(key))
    network = ImportedNetwork(
        name,
        root,
        FileList.of(inputs),
        side_inputs,
        PackedRows(findings),
        PackedRows(listing.reports),
        listing.skipped,
        listing.aliases,
        listing.left_out,
        stamps=stamps,
    )
    if stamps is not None and key is None:
        network.about = about(listing, findings, side_inputs)
    return network


def about(listing: Listing, findings: Sequence[Finding], side_inputs: SideInputs) -> str:
    """A digest of all that a network follows from but the contents of its files and the options.
    Linear in what listing noted."""
    text = {
        "findings": to_plain(tuple(findings)),
        "reports": to_plain(listing.reports),
        "aliases": listing.aliases,
        "side_inputs": to_plain(side_inputs),
    }
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()


_LOOKED_AT = 2_000
"""Files that are looked at without waiting for Spark, the smallest first, and _LOOKED_INTO bytes
of them in all: then Spark looks on.
"""
_LOOKED_INTO = 20 * 2**20


def refuse_without_main(network: ImportedNetwork, key: Key | None) -> None:
    """Raise InputError for a folder without a main file or a dump now, while Spark's Java still
    starts; a large one, and one in storage, is left to Spark.
    """
    if is_storage(network.root):
        return
    recognised: list[Recognised] = []
    size = 0
    if network.reused is not None:
        return  # there was one, and a plan says whether there still is
    order = np.argsort(network.files.sizes(), kind="stable")
    for row in order[: _LOOKED_AT + 1].tolist():
        (file,) = network.files.between(row, row + 1)
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
    left_out = network.left_out
    return nothing_recognised(_shown(network.root), recognised, unread, _told(key), left_out)


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
