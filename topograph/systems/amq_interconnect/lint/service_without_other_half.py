"""AL-27: a service without its other half."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.words.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.amq_interconnect import Entity
    from topograph.systems.amq_interconnect.checked import Checked

LISTENER_WITHOUT_CONNECTOR = FindingKind(
    "listener-without-connector",
    Severity.WARNING,
    Remedy(
        "Give both ends of the service the same address.",
        "The listener does not listen: connections are refused.",
    ),
)
CONNECTOR_WITHOUT_LISTENER = FindingKind(
    "connector-without-listener",
    Severity.WARNING,
    Remedy(
        "Give both ends of the service the same address.",
        "Nobody gets to the server behind the connector.",
    ),
)
AL_27 = Rule(
    "AL-27",
    "Service without its other half",
    (
        "A tcpListener or httpListener has an address that no connector of the network serves, or "
        "a connector one that nobody listens for."
    ),
    (LISTENER_WITHOUT_CONNECTOR, CONNECTOR_WITHOUT_LISTENER),
    check=True,
)

_ADDRESSES = "listenerAddress"
"""A further address of a listener that has several, which it names in ``listener``."""


@lint(AL_27)
def service_without_other_half(checked: Checked) -> Iterator[Finding]:
    """Addresses of TCP and HTTP services with one half only, for each protocol. For information
    where connectors lead out of the loaded files: another site may have the other half. Linear in
    the entities.
    """
    severity = Severity.INFO if checked.outside else Severity.WARNING
    for protocol in ("tcp", "http"):
        listening = [*_of(checked, protocol, "Listener")]
        connecting = [*_of(checked, protocol, "Connector")]
        for kind, own, others in (
            (LISTENER_WITHOUT_CONNECTOR, listening, connecting),
            (CONNECTOR_WITHOUT_LISTENER, connecting, listening),
        ):
            known = sorted({address for address, _ in others})
            for address, entity in own:
                if address not in known:
                    yield _finding(kind, address, entity, known, severity)


def _of(checked: Checked, protocol: str, half: str) -> Iterator[tuple[str, Entity]]:
    """The entities of one half of the services, each with an address of it. Those whose address is
    filled in when the router starts are left out.
    """
    for name in sorted(checked.loaded):
        router = checked.loaded[name]
        if router.stopped:
            continue
        several: dict[str, list[str]] = {}
        for entity in router.configuration:
            if entity.type == _ADDRESSES:
                several.setdefault(entity.get("listener"), []).append(entity.get("address"))
        for entity in router.configuration:
            if entity.type == f"{protocol}{half}":
                for address in several.get(entity.name, [entity.get("address")]):
                    if address and "${" not in address:
                        yield address, entity


def _finding(
    kind: FindingKind, address: str, entity: Entity, known: list[str], severity: Severity
) -> Finding:
    if kind is LISTENER_WITHOUT_CONNECTOR:
        text = f"no connector of the loaded routers serves {address}: it does not listen."
    else:
        text = f"no listener of the loaded routers is for {address}: nobody gets to it."
    message = (
        f"{entity.type} {entity.name} of {entity.server}: {text}{did_you_mean(address, known)}"
    )
    return AL_27.at(entity.source, message, kind=kind, severity=severity, server=entity.server)
