"""The fields of Skupper's resources, of ``skupper.io/v2alpha1`` [skupperproject/skupper
pkg/apis/skupper/v2alpha1/types.go, config/crd/bases]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from topograph.findings import Source
from topograph.importers.amq_interconnect.skupper.resources import Resource

SPEC: Final = {
    "Site": frozenset({"serviceAccount", "linkAccess", "defaultIssuer", "edge", "ha", "settings"}),
    "Link": frozenset({"endpoints", "tlsCredentials", "cost", "settings"}),
    "Listener": frozenset(
        {
            "routingKey",
            "host",
            "port",
            "tlsCredentials",
            "type",
            "observer",
            "exposePodsByName",
            "settings",
        }
    ),
    "Connector": frozenset(
        {
            "routingKey",
            "host",
            "selector",
            "port",
            "tlsCredentials",
            "useClientCert",
            "verifyHostname",
            "type",
            "exposePodsByName",
            "includeNotReadyPods",
            "settings",
        }
    ),
    "MultiKeyListener": frozenset(
        {"host", "port", "tlsCredentials", "requireClientCert", "settings", "strategy", "observer"}
    ),
    "RouterAccess": frozenset(
        {
            "accessType",
            "roles",
            "tlsCredentials",
            "generateTlsCredentials",
            "issuer",
            "bindHost",
            "subjectAlternativeNames",
            "settings",
        }
    ),
    "AttachedConnector": frozenset(
        {
            "siteNamespace",
            "selector",
            "port",
            "tlsCredentials",
            "useClientCert",
            "type",
            "includeNotReadyPods",
            "settings",
        }
    ),
    "AttachedConnectorBinding": frozenset(
        {"connectorNamespace", "routingKey", "exposePodsByName", "settings"}
    ),
    "AccessToken": frozenset({"url", "code", "ca", "linkCost", "settings"}),
    "AccessGrant": frozenset(
        {"redemptionsAllowed", "expirationWindow", "code", "issuer", "settings"}
    ),
    "SecuredAccess": frozenset(
        {"accessType", "selector", "ports", "certificate", "issuer", "settings"}
    ),
    "Certificate": frozenset({"ca", "subject", "hosts", "client", "server", "signing", "settings"}),
}
"""The fields of ``spec`` by kind."""

NEEDED: Final = {
    "Link": ("endpoints",),
    "Listener": ("routingKey", "host", "port"),
    "Connector": ("routingKey", "port"),
    "MultiKeyListener": ("host", "port", "strategy"),
    "AttachedConnector": ("siteNamespace", "selector", "port"),
    "AttachedConnectorBinding": ("connectorNamespace", "routingKey"),
    "RouterAccess": ("roles",),
    "AccessToken": ("url",),
}
"""The fields without which Kubernetes refuses a resource, or nothing can be made of it."""

WITHOUT_ROUTES: Final = frozenset({"AccessGrant", "SecuredAccess", "Certificate"})
"""Kinds that say nothing of where messages go; grants are looked at for the tokens of others."""


def unknown(resource: Resource) -> Iterator[tuple[str, Source]]:
    """The fields of a resource that its kind does not have."""
    known = SPEC.get(resource.kind)
    for name, _, source in resource.pairs("spec"):
        if known is not None and name not in known:
            yield name, source


def missing(resource: Resource) -> list[str]:
    """The fields that a resource lacks and cannot do without."""
    given = {name for name, _, _ in resource.pairs("spec")}
    return [name for name in NEEDED.get(resource.kind, ()) if name not in given]
