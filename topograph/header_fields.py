"""Header fields of JMS messages that selectors may name: what they hold where a question does not
set them (Jakarta Messaging 3.4, 3.8.1.2).

Two always have a value: the sender's default unless it sets another. Others, and properties that
the provider sets, may or may not be there, with a value that no configuration file shows. All else
that a question does not set is absent.
"""

from __future__ import annotations

from collections.abc import Mapping

DEFAULTS: Mapping[str, str | int] = {"JMSDeliveryMode": "PERSISTENT", "JMSPriority": 4}
"""The value that a message has unless its sender sets another."""

_ASSIGNED = frozenset({"JMSMessageID", "JMSTimestamp"})
_TEXTS = frozenset({"JMSMessageID", "JMSCorrelationID", "JMSType"})
_DELIVERY_MODES = ("PERSISTENT", "NON_PERSISTENT")
_SENDERS_OWN = frozenset({"JMSXGroupID", "JMSXGroupSeq"})
"""The defined properties that only senders set."""


def set_on_the_way(name: str) -> bool:
    """Whether client library or server may give a message this field or property without the
    sender's doing, so that one which a question does not set may be absent or hold anything.

    >>> [set_on_the_way(name) for name in ("JMSTimestamp", "JMSXDeliveryCount", "JMSXGroupID", "JMSType", "country")]
    [True, True, False, False, False]
    """  # noqa: E501
    return name in _ASSIGNED or (name.startswith(("JMSX", "JMS_")) and name not in _SENDERS_OWN)


_HEADER = frozenset((*DEFAULTS, *_ASSIGNED, *_TEXTS))
_RESERVED = frozenset(
    ("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE")
)


def name_fault(name: str, *, dots: bool = False) -> str:
    """Why no JMS message has a property of this name; empty if one can: it is an identifier of
    Java and no word of selectors, and of those that begin with ``JMS`` only header fields and what
    begins with ``JMSX`` or ``JMS_`` is defined (Jakarta Messaging 3.5.1, 3.8.1.1). ``dots``: a
    point may stand within a name, as IBM MQ has it ("Property name restrictions").

    >>> [bool(name_fault(name)) for name in ("country", "order-id", "JMSFoo", "JMSXGroupID", "and")]
    [False, True, True, False, True]
    >>> (name_fault("a.b", dots=True), name_fault("order-id"))
    ('', "'order-id' is not an identifier: letters, digits, _ and $, and no digit first")
    """
    plain = name.replace("$", "_")
    if dots and not name.startswith("."):
        plain = plain.replace(".", "_")
    if not plain.isidentifier():
        return f"{name!r} is not an identifier: letters, digits, _ and $, and no digit first"
    if name.upper() in _RESERVED:
        return f"{name!r} is a word of selectors"
    defined = name in _HEADER or name.startswith(("JMSX", "JMS_"))
    if name.startswith("JMS") and not defined:
        return f"{name!r} begins with JMS, which is reserved, and is not a header field"
    return ""


def header_fault(name: str, value: object) -> str:
    """Why a message cannot have this value in this header field; empty if it can, and for names
    that are no header field.

    >>> header_fault("JMSPriority", 12)
    'JMSPriority is a number from 0 to 9, not 12'
    >>> (header_fault("JMSDeliveryMode", "PERSISTENT"), header_fault("JMSType", None),
    ...  header_fault("qty", 12))
    ('', '', '')
    """
    if name == "JMSPriority":
        fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 9
        wanted = "a number from 0 to 9"
    elif name == "JMSDeliveryMode":
        fits, wanted = value in _DELIVERY_MODES, " or ".join(_DELIVERY_MODES)
    elif name == "JMSTimestamp":
        fits = value is None or (isinstance(value, int) and not isinstance(value, bool))
        wanted = "a number of milliseconds, or null"
    elif name in _TEXTS:
        fits, wanted = (
            value is None or isinstance(value, str),
            f"a text, or null (a text that reads as a number: '{value}')",
        )
    else:
        return ""
    return "" if fits else f"{name} is {wanted}, not {'null' if value is None else value}"
