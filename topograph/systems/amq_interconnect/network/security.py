"""Whether SASL and TLS let a connection open between a connector and a listener (rule T-14).

A connector always offers SASL. The listener answers with the mechanisms that it takes; without one
in common the connection ends. A listener with an ``sslProfile`` takes TLS and, unless
``requireSsl`` is set, connections without it; a listener without one takes no TLS. Certificates,
passwords and the mechanisms that a machine offers by itself stand in no configuration: only what
both ends write down is judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from topograph.facts.amq_interconnect import Entity
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.amq_interconnect_findings import (
    ANONYMOUS_WITH_AUTHENTICATION,
    ENCRYPTION_REQUIRED,
    ENCRYPTION_UNDECIDED,
    EXTERNAL_WITHOUT_TLS,
    SASL_MECHANISMS_DISJOINT,
    SSL_PROFILE_UNDECIDED,
    TLS_NOT_OFFERED,
    TLS_REQUIRED,
)

_WITHOUT_ENCRYPTION = frozenset({"ANONYMOUS", "PLAIN", "EXTERNAL"})
"""Mechanisms that encrypt nothing by themselves."""

_SHOWN_BY = {"listener": "authenticatePeer", "connector": "verifyHostname"}
"""An attribute that always has a value, by type: a dump without it does not show the others."""


@record
class Security:
    """What an end asks of a connection. ``mechanisms`` are those that it names, None if it names
    none: then all that its machine offers. ``profile`` is the name of its ``sslProfile``,
    ``named`` whether it says as whom it connects (saslUsername), ``authenticates`` whether the
    other end has to say who it is (authenticatePeer)."""

    mechanisms: frozenset[str] | None
    profile: str
    requires_tls: bool = False
    requires_encryption: bool = False
    authenticates: bool = False
    named: bool = False


@record
class Refusal:
    """Why a connection does not open, or why that is not known: the kind of finding, whose
    bearing says which of the two, and the reason as a clause."""

    kind: FindingKind
    because: str

    @property
    def stops(self) -> bool:
        """Whether the connection is sure not to open."""
        return self.kind.bearing is not None and self.kind.bearing.effect == "stops"


def security_of(entity: Entity) -> Security | None:
    """What a listener or connector asks of a connection; None for one of a dump that shows less."""
    if entity.origin == "dump" and not entity.get(_SHOWN_BY.get(entity.type, "name")):
        return None
    named = frozenset(re.split(r"[\s,]+", entity.get("saslMechanisms").strip().upper())) - {""}
    profile = entity.get("sslProfile").strip()
    if entity.type == "connector":
        return Security(named or None, profile, named=bool(entity.get("saslUsername")))
    return Security(
        named or None,
        profile,
        entity.get("requireSsl") == "true",
        entity.get("requireEncryption") == "true",
        entity.get("authenticatePeer") == "true",
    )


def refusal(
    here: Security | None, there: Security | None, undefined: Sequence[str] = ()
) -> Refusal | None:
    """Why a connection between a connector and a listener does not open (T-14), None if nothing
    says so. ``undefined`` are those of their sslProfiles that are not defined, in words. O(1).
    """
    if here is None or there is None:
        return None
    common = _common(here, there)
    if common is not None and not common:
        return Refusal(
            SASL_MECHANISMS_DISJOINT,
            f"they have no SASL mechanism in common: the connector offers {_names(here)}, the "
            f"listener takes {_names(there)}",
        )
    if undefined and (here.profile or there.requires_tls):
        return Refusal(
            SSL_PROFILE_UNDECIDED,
            f"{undefined[0]} is not defined: whether the two agree on TLS without its certificates "
            "is not known",
        )
    if there.requires_tls and there.profile and not here.profile:
        return Refusal(
            TLS_REQUIRED, "the listener requires TLS (requireSsl), the connector has no sslProfile"
        )
    if here.profile and not there.profile:
        return Refusal(
            TLS_NOT_OFFERED,
            f"the connector begins with TLS (sslProfile {here.profile}), the listener has no "
            "sslProfile",
        )
    if not here.profile and "EXTERNAL" in {*_only(there.mechanisms), *_only(common)}:
        return Refusal(
            EXTERNAL_WITHOUT_TLS,
            "EXTERNAL is the only SASL mechanism left, and without an sslProfile the connector "
            "shows no certificate for it",
        )
    if there.authenticates and _stays_anonymous(here, there, common):
        return Refusal(
            ANONYMOUS_WITH_AUTHENTICATION,
            "the listener requires authentication (authenticatePeer), and nothing but ANONYMOUS is "
            "named that the two could use for it",
        )
    if there.requires_encryption and not here.profile:
        return _unencrypted(common)
    return None


def _only(mechanisms: frozenset[str] | None) -> frozenset[str]:
    """The mechanism that is the only one, if there is one only."""
    return mechanisms if mechanisms is not None and len(mechanisms) == 1 else frozenset()


def _stays_anonymous(here: Security, there: Security, common: frozenset[str] | None) -> bool:
    """Whether nothing stands in the files by which a connector could say who it is."""
    if "ANONYMOUS" in {*_only(here.mechanisms), *_only(there.mechanisms), *_only(common)}:
        return True
    return here.mechanisms is None and not (here.profile or here.named)


def _common(here: Security, there: Security) -> frozenset[str] | None:
    """The mechanisms that both ends name; None where one of them names none."""
    if here.mechanisms is None or there.mechanisms is None:
        return None
    return here.mechanisms & there.mechanisms


def _unencrypted(common: frozenset[str] | None) -> Refusal:
    """A listener that requires encryption, and a connector without TLS."""
    if common is not None and common <= _WITHOUT_ENCRYPTION:
        return Refusal(
            ENCRYPTION_REQUIRED,
            "the listener requires encryption (requireEncryption), the connector has no "
            f"sslProfile, and {', '.join(sorted(common))} does not encrypt",
        )
    return Refusal(
        ENCRYPTION_UNDECIDED,
        "the listener requires encryption (requireEncryption), the connector has no sslProfile, "
        "and whether they agree on a SASL mechanism that encrypts is not known",
    )


def _names(end: Security) -> str:
    return ", ".join(sorted(end.mechanisms or ()))
