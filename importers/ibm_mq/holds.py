"""What the fields and attributes of IBM MQ facts hold, for redaction (see
``topograph.importers.holds``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topograph.facts.ibm_mq import (
    Attribute,
    Channel,
    ChannelRule,
    ChannelStatus,
    ClusterQueue,
    ClusterQueueManager,
    Listener,
    Namelist,
    OtherObject,
    OtherStatus,
    Queue,
    QueueManager,
    QueueStatus,
    Shown,
    Stanza,
    Subscription,
    Topic,
)
from topograph.importers.holds import FACT, Fields, Holds

WELL_KNOWN_USERS = frozenset({"mqm", "mqadmin", "nobody", "*nobody", "*mqadmin", "musr_mqadmin"})
"""Users and groups of the product itself: their names say nothing."""

WORDS: frozenset[str] = frozenset()
"""No messages of servers are kept."""

_DESCRIBED: Fields = FACT | {
    "name": Holds.PUBLIC,
    "attributes": Holds.NESTED,
    "verb": Holds.PUBLIC,
    "template": Holds.PUBLIC,
    "unknown": Holds.NAME,
    "like": Holds.PUBLIC,
    "doubt": Holds.MESSAGE,
    "partial": Holds.PUBLIC,
}

FIELDS: Mapping[type, Fields] = {
    Attribute: {"name": Holds.NAME, "value": Holds.ITS_SETTING, "line": Holds.PUBLIC},
    QueueManager: _DESCRIBED | {"name": Holds.SERVER, "dump": Holds.PUBLIC,
        "named_by": Holds.PUBLIC, "unread": Holds.MESSAGE},
    Queue: _DESCRIBED | {"noun": Holds.PUBLIC},
    Channel: _DESCRIBED | {"channel_type": Holds.PUBLIC},
    Listener: _DESCRIBED,
    Namelist: _DESCRIBED,
    Topic: _DESCRIBED,
    Subscription: _DESCRIBED,
    ChannelRule: _DESCRIBED | {"rule_type": Holds.PUBLIC},
    OtherObject: _DESCRIBED | {"name": Holds.NAME, "noun": Holds.NAME},
    Stanza: _DESCRIBED,
    ChannelStatus: _DESCRIBED,
    QueueStatus: _DESCRIBED,
    ClusterQueueManager: _DESCRIBED,
    ClusterQueue: _DESCRIBED,
    OtherStatus: _DESCRIBED | {"name": Holds.NAME, "noun": Holds.NAME},
    Shown: FACT | {"classes": Holds.PUBLIC, "extent": Holds.PUBLIC, "pattern": Holds.PUBLIC,
        "attributes": Holds.NAME, "said": Holds.MESSAGE},
}  # fmt: skip
"""Every kind of fact (and of record inside one), with every field."""

SECRETS = frozenset(
    {
        "PASSWORD", "LDAPPWD", "KEYRPWD", "SSLKEYP", "SSLCRYP", "INITKEY", "SSLCRYPTOHARDWARE",
        "SCYDATA", "SENDDATA", "RCVDATA", "MSGDATA", "MRDATA",
    }
)  # fmt: skip
"""Attributes whose value is never kept, only that one is set. SSLCRYP may hold the password of a
token, and what is handed to the exits of a channel the password or key they work with.
"""

NAMES_OF_OBJECTS = frozenset(
    {
        "BOQNAME", "BRIDGE", "CFSTRUCT", "CHANNEL", "CLCHNAME", "CLUSNL", "CLUSQMGR", "CLUSTER",
        "COMMANDQ", "COMMINFO",
        "CONNAUTH", "DEADQ", "DEFXMITQ", "DEST", "DESTQMGR", "INITQ", "NAMES", "NLTYPE", "PARENT",
        "PROCESS", "QMGR", "QMNAME",
        "QUEUE", "REPOS", "REPOSNL", "RNAME", "RQMNAME", "STREAMQ", "SUB", "SUBNAME", "TARGET",
        "TMPMODEL", "TOPIC",
        "TOPICOBJ", "TOPICSTR", "TPROOT", "TRIGDATA", "XMITQ", "MNDURMDL", "MDURMDL", "LISTENER",
        "NAMELIST", "MODEL", "QNAME",
        "PROFILE", "OBJNAME", "CLROUTE", "SYSQMGR", "RQMGR", "RQMGRNAME", "SSLCRLNL", "CHLAUTHNAME",
        "QMID", "CLUSQT", "CLUSTERXMITQ",
        "SELECTOR", "ADMIN",
    }
)  # fmt: skip
"""Attributes that hold names of queues, channels, queue managers, clusters and topics."""

CHOICES = frozenset(
    {
        "ACTION", "ADOPTCTX", "AUTHTYPE", "BIND", "CAPEXPRY", "CHAD", "CHCKCLNT", "CHCKLOCL",
        "CHLAUTH", "CHLTYPE", "CLUSDATE", "CLWLUSEQ",
        "CONTROL", "CONVERT", "DEFBIND", "DEFCLXQ", "DEFPRESP", "DEFPSIST", "DEFREADA", "DEFSOPT",
        "DEFTYPE", "DESTCLAS", "DISTL",
        "DURSUB", "EXPIRY", "GET", "HARDENBO", "MCAST", "MCATYPE", "MSGDLVSQ", "MSTATUS",
        "NOHARDENBO", "NOSHARE", "NOTRIGGER",
        "NPMCLASS", "NPMDLV", "NPMSGDLV", "NPMSPEED", "PLATFORM", "PMSGDLV", "PROPCTL", "PROXYSUB",
        "PSCLUS", "PSMODE", "PUB", "PUBSCOPE",
        "PUT", "PUTAUT", "QMTYPE", "QTYPE", "QDPHIEV", "QDPLOEV", "QDPMAXEV", "QSVCIEV", "SCHINIT",
        "SHARE", "STATUS", "STRMQOS",
        "SUB", "SUBLEVEL", "SUBSCOPE", "SUBTYPE", "SUSPEND", "TARGTYPE", "TRIGGER", "TRIGTYPE",
        "TRPTYPE", "TYPE", "USAGE", "USEDLQ",
        "USERSRC", "WARN", "WCARD", "WILDCARD", "WSCHEMA", "XMSGDLV", "CHLDISP", "SCOPE",
        "SUBSTATE", "USE", "VARUSER",
        "CUROBJ", "RESETSEQ", "MCASTAT", "INDOUBT", "DESTINATION", "MONCHL", "MONQ", "STATCHL",
        "STATQ", "ACCTQ", "ACTIVREC",
    }
)  # fmt: skip
"""Attributes whose value is one of the words of MQSC."""

ADDRESSES = frozenset(
    {
        "CONNAME",
        "IPADDR",
        "LOCLADDR",
        "ADDRESS",
        "ADDRLIST",
        "LOCALADDR",
        "GRPADDR",
        "HOSTNAME",
        "RAPPLHOST",
    }
)
_USERS = frozenset(
    {"MCAUSER", "USERID", "CLNTUSER", "PRINCIPAL", "SUBUSER", "LDAPUSER", "USERLIST", "QMNAMEUSER",
        "ENTUSER", "MCAUSERID", "AUTHREC"}
)  # fmt: skip
_OPAQUE = frozenset(
    {
        "DESCR", "SSLPEER", "SSLCERTI", "SSLKEYR", "STARTCMD", "STARTARG", "STOPCMD", "STOPARG",
        "STDOUT", "STDERR", "APPLICID",
        "ENVRDATA", "USERDATA", "CUSTOM", "BASEDNU", "BASEDNG", "CERTLABL", "SCYEXIT",
        "SENDEXIT", "RCVEXIT",
        "MSGEXIT", "MREXIT", "CLWLEXIT", "CLWLDATA", "OCSPURL",
        "DIRECTORY", "PREFIX", "SSLCERTISSUER",
    }
)  # fmt: skip

_HELD: Mapping[str, Holds] = {
    **dict.fromkeys(NAMES_OF_OBJECTS | CHOICES, Holds.PUBLIC),
    **dict.fromkeys(ADDRESSES, Holds.HOSTS),
    **dict.fromkeys(_USERS, Holds.USER),
    "USERLIST": Holds.USERS,
    **dict.fromkeys(_OPAQUE, Holds.OPAQUE),
    **dict.fromkeys(SECRETS, Holds.SECRET),
}


def setting(fact: Any, key: str) -> Holds | None:  # noqa: ARG001
    """What the value of an attribute holds; None where nobody has said it (numbers stay then,
    other values are hidden).
    """
    return _HELD.get(key.upper())
