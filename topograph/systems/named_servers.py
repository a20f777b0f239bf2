"""Names of servers in topograph.yaml that no loaded file knows: what is said of them has no
effect, and a misspelt name would pass without a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topograph.findings import Finding, Severity, Source
from topograph.forwarding.graph import GraphTables
from topograph.rules.unnumbered import SIDE_INPUTS_UNKNOWN_SERVER
from topograph.side_inputs import SideInputs
from topograph.words.did_you_mean import did_you_mean

EVERY_SERVER = "*"
"""Stands for all servers that are not named (``versions``)."""


def unknown_servers(tables: Iterable[GraphTables], side_inputs: SideInputs) -> Iterator[Finding]:
    """A finding for each name that is the name of no server of the network, loaded or named by a
    loaded file, in the order of the keys. Of ``hosts`` it is no more than a note: an entry may say
    where a server is that is not loaded. Linear in the servers and in the names.

    ``servers`` and ``suspended`` have findings of their own, with the files and routes that
    there are."""
    named = list(_named(side_inputs))
    if not named:
        return
    known = {server.name for part in tables for server in part.servers}
    for key, name, source in named:
        if name in known:
            continue
        severity = Severity.INFO if key == "hosts" else Severity.WARNING
        message = (
            f"{key}: no loaded file knows a server {name!r}, so that this has no "
            f"effect.{did_you_mean(name, known)}"
        )
        yield SIDE_INPUTS_UNKNOWN_SERVER.at(source, message, severity=severity, server=name)


def _named(side_inputs: SideInputs) -> Iterator[tuple[str, str, Source]]:
    """The names of servers, each with its key and its place."""
    for host in side_inputs.hosts:
        yield "hosts", host.server, host.source
    for machine in side_inputs.machines:
        for name in machine.servers:
            yield "machines", name, machine.source
    for (name, _), source in zip(side_inputs.versions, side_inputs.version_sources, strict=False):
        if name != EVERY_SERVER:
            yield "versions", name, source
    for client in side_inputs.clients:
        yield "clients", client.server, client.source
    for mediation in side_inputs.mediations:
        if mediation.bus:
            yield "mediations", mediation.bus, mediation.source
