"""Whether the vhost policies of a router let a client attach (section 5, position 12).

With ``enableVhostPolicy`` a client may attach to an address only if its user group names it: among
``targets`` for a sender, ``sources`` for a receiver. Which vhost a connection is in follows from
the host name that its client gives, and its group from the user's name; where neither is stated,
what is certain is what all of them say alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from topograph.facts.amq_interconnect import Entity
from topograph.facts.amqp_addresses import PatternTree, address_tokens, stored_tokens
from topograph.findings import Source
from topograph.judgement import Polarity
from topograph.records import record
from topograph.systems.amq_interconnect.messages.addresses import truth
from topograph.systems.amq_interconnect.network.routers import Router

CONDITION = "amqp:unauthorized-access"
DESCRIPTION = "link disallowed by local policy"
"""What a client sees whose attach a policy refuses."""

RULE = "12"

_DEFAULT, _OF_CONNECTORS = "$default", "$connector"
_USER = "${user}"
_ANONYMOUS = "anonymous"
"""The name of a user who says none (SASL ANONYMOUS)."""
_LISTS = {"sender": ("targets", "targetPattern"), "receiver": ("sources", "sourcePattern")}
"""What names the addresses that a client may attach to, by what it is."""


@record
class PolicySaid:
    """Whether an attach is allowed, in words, and the line that decides it."""

    allowed: Polarity
    text: str
    source: Source


@record
class _Group:
    """A user group that a client may be in, and what it allows."""

    name: str
    settings: Mapping[str, Any]
    source: Source


def evaluates_policies(router: Router) -> bool:
    """Whether a router asks policies about its clients."""
    return any(
        one.type == "policy" and truth(one.get("enableVhostPolicy")) for one in router.configuration
    )


def said_of(
    router: Router, address: str, role: str, user: str = "", *, anonymous: bool = False
) -> PolicySaid | None:
    """What the policies of a router say of a client that attaches to an address as ``sender`` or
    ``receiver``; None where it has none. Linear in the groups of its vhosts.
    """
    if not evaluates_policies(router):
        return None
    policy = next(one for one in router.configuration if one.type == "policy")
    who = f" as {user}" if user else ""
    to = f"a {role} of {address}{who}"
    if policy.get("policyDir"):
        text = f"{router.name} reads policies from {policy.get('policyDir')}, which is not loaded"
        text += f", and lets {to} attach"
        return PolicySaid(Polarity.UNKNOWN, text, policy.source)
    user = user or (_ANONYMOUS if _all_are_anonymous(router) else "")
    groups = list(_groups(router, policy, user))
    found = [_allows(one, address, role, user, anonymous=anonymous) for one in groups]
    decided = set(found)
    source = groups[found.index(Polarity.NO)].source if Polarity.NO in decided else policy.source
    if decided == {Polarity.YES}:
        return PolicySaid(Polarity.YES, f"the policy of {router.name} lets {to} attach", source)
    if decided <= {Polarity.NO}:
        text = f"the policy of {router.name} lets no {role} of {address} attach{who}"
        return PolicySaid(Polarity.NO, text, source)
    on = "host" if user else "user and host"
    text = f"the policy of {router.name} lets {to} attach, which depends on its {on}"
    return PolicySaid(Polarity.UNKNOWN, text, source)


def _groups(router: Router, policy: Entity, user: str) -> Iterator[_Group]:
    """The groups that the client may be in; one that allows nothing where it may be in none."""
    vhosts = [one for one in router.configuration if one.type == "vhost"]
    default = policy.get("defaultVhost") or _DEFAULT
    if default not in {_host_of(one) for one in vhosts}:
        yield _Group("", {}, policy.source)
    for vhost in vhosts:
        own = {
            name: settings
            for name, settings in _map(vhost.get("groups")).items()
            if name != _OF_CONNECTORS and isinstance(settings, dict)
        }
        named = {name: one for name, one in own.items() if name != _DEFAULT}
        of_user = {name: one for name, one in named.items() if user in _listed(one.get("users"))}
        chosen = of_user if user else named
        for name, settings in chosen.items():
            yield _Group(name, settings, vhost.source)
        if chosen and user:
            continue
        unknown = own.get(_DEFAULT) if truth(vhost.get("allowUnknownUser")) else None
        yield _Group(_DEFAULT, unknown or {}, vhost.source)


def _all_are_anonymous(router: Router) -> bool:
    """Whether every listener for clients takes ANONYMOUS alone, so that nobody has a name."""
    alone = frozenset({_ANONYMOUS.upper()})
    asked = [one.security for one in router.listeners if one.role not in ("inter-router", "edge")]
    return bool(asked) and all(one is not None and one.mechanisms == alone for one in asked)


def _host_of(vhost: Entity) -> str:
    return vhost.get("hostname") or vhost.get("id") or vhost.name


def _allows(group: _Group, address: str, role: str, user: str, *, anonymous: bool) -> Polarity:
    settings = group.settings
    hosts = _listed(settings.get("remoteHosts"))
    if not hosts:
        return Polarity.NO
    if anonymous and not truth(str(settings.get("allowAnonymousSender", ""))):
        return Polarity.NO
    plain, pattern = (settings.get(name) for name in _LISTS[role])
    found = (
        _matches_pattern(_listed(pattern), address, user)
        if pattern
        else _matches_list(_listed(plain), address, user)
    )
    # which machines a list of hosts or addresses stands for is not known
    return Polarity.UNKNOWN if found is Polarity.YES and "*" not in hosts else found


def _matches_list(names: Sequence[str], address: str, user: str) -> Polarity:
    """``sources`` and ``targets``: whole names, with ``*`` as their last character any rest."""
    perhaps = False
    for name in names:
        if name == "*":
            return Polarity.YES
        filled = name.replace(_USER, user) if user else name
        end = r".*\Z" if filled.endswith("*") else r"\Z"
        parts = [re.escape(part) for part in filled.removesuffix("*").split(_USER)]
        if re.match(".+".join(parts) + end, address, re.DOTALL):
            if _USER not in filled:
                return Polarity.YES
            perhaps = True
    return Polarity.UNKNOWN if perhaps else Polarity.NO


def _matches_pattern(patterns: Sequence[str], address: str, user: str) -> Polarity:
    """``sourcePattern`` and ``targetPattern``: patterns of tokens (A-2)."""
    perhaps = False
    for pattern in patterns:
        filled = pattern.replace(_USER, user) if user else pattern
        tokens = stored_tokens(filled, is_prefix=False)
        tree: PatternTree[bool] = PatternTree()
        tree.add(tuple("*" if _USER in token else token for token in tokens), True)
        if next(tree.matches(address_tokens(address)), False):
            if _USER not in filled:
                return Polarity.YES
            perhaps = True
    return Polarity.UNKNOWN if perhaps else Polarity.NO


def _listed(value: object) -> tuple[str, ...]:
    """A list as policies write it: names with commas between them, or a list of JSON."""
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return tuple(text for part in parts if (text := str(part).strip()))


def _map(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
