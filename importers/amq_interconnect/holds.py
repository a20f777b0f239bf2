"""What the attributes of router entities hold, for redaction (see
``topograph.importers.holds``).
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity, Shown
from topograph.importers.amq_interconnect.schema import TYPES, ValueType
from topograph.importers.amq_interconnect.secrets import is_secret
from topograph.importers.holds import FACT, Fields, Holds

WELL_KNOWN_USERS = frozenset({"anonymous", "*"})
"""The name that a connection without authentication has, and the pattern of every user."""

WORDS = frozenset(
    {"connection", "opened", "failed", "dir", "in", "out", "vhost", "encrypted", "auth",
        "anonymous", "external", "plain", "container", "id"}
)  # fmt: skip
"""Words of the routers' own messages (``connectionMsg``), in which hosts, users and container
ids stand.
"""

FIELDS: Mapping[type, Fields] = {
    Entity: FACT
    | {
        "type": Holds.PUBLIC,
        "origin": Holds.PUBLIC,
        "name": Holds.ITS_NAME,
        "attributes": Holds.SETTINGS,
        "stated": Holds.NAME,
    },
    Shown: FACT
    | {
        "classes": Holds.NAME,
        "extent": Holds.PUBLIC,
        "pattern": Holds.PUBLIC,
        "attributes": Holds.NAME,
        "said": Holds.MESSAGE,
    },
}
"""Every kind of fact, with every field."""

_PUBLIC = (
    "prefix", "pattern", "address", "externalAddress", "addExternalPrefix", "delExternalPrefix",
    "alternateAddress", "exchangeName",
    "nextHopAddress", "bindingKey", "addr", "externalAddr", "sources", "targets", "sourcePattern",
    "targetPattern", "owningAddr", "nextHop",
    "linkState", "validOrigins", "remoteHostRouters", "connectionId", "routerLink",
)  # fmt: skip
_WORDS = (
    "port", "saslMechanisms", "messageLoggingComponents", "version", "area", "timestampFormat",
    "operStatus", "adminStatus", "uidFormat",
    "ciphers", "protocols", "oldestValidVersion", "connectionStatus", "starts", "enableVhostPolicy",
    "allowUnknownUser", "allowAnonymousSender", "multiAddressStrategy",
    "module", "enable", "fanout", "bias",
    "dir", "direction", "role", "mode", "distribution", "linkType", "linkDir", "fallback", "phase",
    "dataConnectionCount", "defaultDistribution", "cost",
    "priority", "opened", "active", "sasl", "security", "authentication",
)  # fmt: skip
_SETTINGS: Mapping[str, Holds] = {
    **dict.fromkeys(_PUBLIC, Holds.PUBLIC),
    **dict.fromkeys(_WORDS, Holds.WORD),
    "name": Holds.NAME,
    "identity": Holds.NAME,
    "connector": Holds.NAME,
    "connection": Holds.NAME,
    "sslProfile": Holds.NAME,
    "proxyProfile": Holds.NAME,
    "policyDir": Holds.NAME,
    "listener": Holds.NAME,
    "saslPlugin": Holds.NAME,
    "host": Holds.HOSTS,
    "hostName": Holds.HOSTS,
    "hostname": Holds.HOSTS,
    "policyVhost": Holds.HOSTS,
    "defaultVhost": Holds.HOSTS,
    "remoteHosts": Holds.HOSTS,
    "aliases": Holds.HOSTS,
    "realm": Holds.HOSTS,
    "failoverUrls": Holds.URLS,
    "saslUsername": Holds.USER,
    "user": Holds.USER,
    "username": Holds.USER,
    "users": Holds.USERS,
    "containerId": Holds.CLIENT,
    "container": Holds.CLIENT,
    "groups": Holds.MAP,
    "openProperties": Holds.MAP,
    "properties": Holds.MAP,
    "because": Holds.MESSAGE,
    "connectionMsg": Holds.MESSAGE,
    "lastError": Holds.MESSAGE,
    **dict.fromkeys(("privateKeyFile", "password", "passwordFile", "saslPassword"), Holds.SECRET),
    **dict.fromkeys(
        (
            "metadata", "debugDumpFile", "saslConfigDir", "saslConfigName", "vanId", "httpRootDir",
            "trustedCerts", "trustedCertsFile",
            "caCertFile", "certFile", "uidNameMappingFile", "linkRef",
        ),
        Holds.OPAQUE,
    ),
}  # fmt: skip
"""By attribute. Attributes that the schema gives as numbers, booleans and choices are public;
see ``setting``.
"""

_OF_TYPE: Mapping[tuple[str, str], Holds] = {
    ("router", "id"): Holds.SERVER,
    ("router.node", "id"): Holds.SERVER,
    ("vhost", "id"): Holds.HOSTS,
    ("vhost", "name"): Holds.HOSTS,
    ("vhostStats", "id"): Holds.HOSTS,
    ("vhostUserStats", "id"): Holds.OPAQUE,
    ("router.link", "name"): Holds.OPAQUE,
    ("router.link", "linkName"): Holds.OPAQUE,
    ("router.address", "key"): Holds.PUBLIC,
    ("router.address", "name"): Holds.PUBLIC,
    ("router.address", "identity"): Holds.PUBLIC,
}
"""By type and attribute, where a type means something else by a name."""


NAMES = frozenset({*_SETTINGS, *(name for _, name in _OF_TYPE)})
"""Every attribute that is stated here, configured or observed."""


def setting(fact: Fact, key: str) -> Holds | None:
    """What an attribute of an entity holds; None where nobody has said it."""
    if _SETTINGS.get(key) is Holds.SECRET or is_secret(key):
        return Holds.SECRET
    type_ = fact.type if isinstance(fact, Entity) else ""
    if (type_, key) in _OF_TYPE:
        return _OF_TYPE[type_, key]
    entity = TYPES.get(type_)
    attribute = (entity.attributes or {}).get(key) if entity is not None else None
    if attribute is not None and attribute.kind not in (ValueType.TEXT, ValueType.MAP):
        return Holds.PUBLIC
    return _SETTINGS.get(key)
