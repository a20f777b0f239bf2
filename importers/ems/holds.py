"""What the fields of EMS facts hold, for redaction (see ``topograph.importers.holds``)."""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts import Fact
from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsEntry,
    EmsFactory,
    EmsGrant,
    EmsGroup,
    EmsObservedRoute,
    EmsRoute,
    EmsServer,
    EmsUser,
    ParameterPlace,
    RouteFault,
    RouteSelector,
)
from topograph.facts.ems_observed import (
    EmsListing,
    EmsObservedBridges,
    EmsObservedDestination,
    EmsObservedSetting,
    EmsObservedSubscription,
)
from topograph.facts.ems_urls import SECONDARY
from topograph.importers import lexical
from topograph.importers.ems.destinations import PROPERTIES
from topograph.importers.ems.parameters import SUB_FILES
from topograph.importers.holds import FACT, Fields, Holds, public

WELL_KNOWN_USERS = frozenset({"admin", "anonymous", "$admin"})
"""The product's own users and group (ems.md 1.6): their names say nothing."""

WORDS: frozenset[str] = frozenset({"active", "fault", "tolerant", "standby"})
"""The words of a server's state: no messages of servers are kept."""


PERMISSIONS = frozenset(
    {
        "all", "admin", "view", "create", "modify", "delete", "send", "receive", "browse",
        "publish", "subscribe", "durable", "use_durable",
        "protect1", "protect2", "protect3", "protect4", "view-all", "change-all", "view-user",
        "view-group", "view-acl", "view-route",
        "view-bridge", "view-destination", "view-factory", "view-connection", "view-message",
        "view-server", "view-durable", "view-client",
        "purge-destination", "delete-message", "delete-connection", "shutdown", "flush",
    }
)  # fmt: skip
"""The words of an acl.conf after PERM (ems.md 1.6): known, so that they stay."""


FIELDS: Mapping[type, Fields] = {
    EmsServer: FACT
    | public("routing", "authorization", "missing", "unread")
    | {
        "ft_active": Holds.URLS,
        "listen": Holds.URLS,
        "parameters": Holds.SETTINGS,
        "places": Holds.NESTED,
    },
    ParameterPlace: public("parameter") | {"source": Holds.PLACE},
    EmsRoute: FACT
    | public("zone_name", "zone_type", "zone_stated")
    | {
        "topic_prefetch": Holds.WORD,
        "name": Holds.SERVER,
        "url": Holds.URLS,
        "selectors": Holds.NESTED,
        "faults": Holds.NESTED,
        "properties": Holds.SETTINGS,
    },
    RouteFault: public("why") | {"source": Holds.PLACE},
    RouteSelector: public("direction", "topic", "selector", "fault")
    | {"source": Holds.PLACE, "unread": Holds.DROPPED},
    EmsDestination: FACT
    | public("type", "name", "jndi")
    | {"owner": Holds.SERVER, "properties": Holds.SETTINGS},
    EmsBridge: FACT
    | public("source_type", "source_name", "target_type", "target_name", "selector", "fault")
    | public("sections")
    | {"unread": Holds.DROPPED, "again": Holds.NESTED},
    EmsDurable: FACT
    | public("topic", "name", "no_local", "selector", "route", "fault")
    | {"client_id": Holds.CLIENT, "unread": Holds.DROPPED},
    EmsFactory: FACT
    | public("name")
    | {"type": Holds.WORD, "url": Holds.URLS, "properties": Holds.SETTINGS},
    EmsGrant: FACT
    | public("type", "name", "principal_type")
    | {"permissions": Holds.WORD, "principal": Holds.PRINCIPAL},
    EmsUser: FACT | {"name": Holds.USER, "description": Holds.OPAQUE, "password_set": Holds.SECRET},
    EmsGroup: FACT | public("name") | {"description": Holds.OPAQUE, "members": Holds.USER},
    EmsEntry: FACT | public("type") | {"name": Holds.NAME, "properties": Holds.SETTINGS},
    EmsObservedRoute: FACT
    | public("active", "connected", "zone_name", "zone_type", "suspended")
    | {"name": Holds.SERVER, "url": Holds.URLS},
    EmsListing: FACT | public("name", "cut") | {"url": Holds.URLS},
    EmsObservedSetting: FACT | public("listing", "name") | {"value": Holds.ITS_SETTING},
    EmsObservedDestination: FACT
    | public("type", "name", "dynamic", "properties")
    | {"owner": Holds.SERVER},
    EmsObservedSubscription: FACT
    | public("listing", "type", "name", "durable", "selector", "client", "dynamic")
    | {"client_id": Holds.CLIENT, "user": Holds.USER, "route": Holds.SERVER},
    EmsObservedBridges: FACT | public("type", "name", "queues", "topics"),
}
"""Every kind of fact (and of record inside one), with every field."""

_SETTINGS = {
    **dict.fromkeys(
        ("routing", "authorization", "state", "user_auth", "log_trace", "console_trace",
            "topic_prefetch", "type", "mode", "metric"), Holds.WORD
    ),
    **public("subject"),
    **dict.fromkeys(SUB_FILES, Holds.OPAQUE),
    **dict.fromkeys(PROPERTIES, Holds.PUBLIC),
    "server": Holds.SERVER,
    "listen": Holds.URLS,
    "ft_active": Holds.URLS,
    SECONDARY: Holds.URLS,
    "clientid": Holds.CLIENT,
    "listener": Holds.CLIENT,
    "url": Holds.URLS,
}  # fmt: skip
"""Settings by key in lower case: parameters of the server, properties of destinations, routes,
factories, stores, transports.
"""


def setting(fact: Fact, key: str) -> Holds | None:
    """What the value of a setting holds; None where nobody has said it."""
    lower = key.lower()
    if lexical.is_secret(lower):
        return Holds.SECRET
    if lower == "store" and not isinstance(fact, EmsDestination):
        return Holds.OPAQUE  # a folder; of a destination the name of one of the stores
    return _SETTINGS.get(lower)
