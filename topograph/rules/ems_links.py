"""The lint rules of TIBCO EMS about links and servers that do not come up, or may not: what they
find acts on the links (``systems.ems.network.bearing``).
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule

ROUTE_USER_MISSING = FindingKind(
    "route-user-missing",
    Severity.ERROR,
    Remedy(
        "Add a user with the name of the connecting server to users.conf of {server}.",
        "{server} refuses the connection, and the route does not come up.",
    ),
    about="link",
    bearing=Bearing("stops"),
)
TL_21 = Rule(
    "TL-21",
    "Route user missing",
    "Authorization is enabled at a server, and a server that connects to it is not a user there.",
    (ROUTE_USER_MISSING,),
    check=True,
)
FT_NAMES_DIFFER = FindingKind(
    "ft-names-differ",
    Severity.ERROR,
    Remedy(
        "Set server to the same name in the files of both members, or correct ft_active.",
        "Only one of the two is active at a time; which one is not known.",
    ),
    about="server",
    bearing=Bearing("opens"),
)
TL_22 = Rule(
    "TL-22",
    "Pair with two names",
    "ft_active of a server is where a server of another name listens; a pair has one name.",
    (FT_NAMES_DIFFER,),
    check=True,
)
LISTEN_SHARED = FindingKind(
    "listen-shared",
    Severity.WARNING,
    Remedy(
        "Correct listen in the file of the server that runs elsewhere.",
        "Which of the servers runs there is not known, nor where routes to that address lead.",
    ),
    about="server",
    bearing=Bearing("opens"),
)
TL_23 = Rule(
    "TL-23",
    "Two servers at one address",
    "Servers of different names listen at the same host and port, where only one can run.",
    (LISTEN_SHARED,),
    check=True,
)
