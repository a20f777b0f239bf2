"""Messages: a destination and typed properties, in the grammar of the command line (DESIGN section
4.1).

>>> parse_destination("topic:orders.>")
DestinationName(type='topic', name='orders.>', at='')
>>> (parse_property("qty=7"), parse_property("qty='7'"), parse_property("vip=true"),
...  parse_property("to=Canada"))
(('qty', 7), ('qty', '7'), ('vip', True), ('to', 'Canada'))
>>> parse_property("note=null"), parse_property("note='null'")
(('note', None), ('note', 'null'))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from types import MappingProxyType
from typing import TypedDict, Unpack

from topograph import extensions
from topograph.credentials import name_without_secret
from topograph.digits import based, digits, double
from topograph.errors import UnknownDestination, UsageError
from topograph.header_fields import header_fault
from topograph.records import record
from topograph.words.did_you_mean import nearest

Value = str | bool | int | float
"""A typed property: string, boolean, exact number (64-bit) or approximate number (double)."""

Properties = Mapping[str, Value | None]
"""Properties and header fields by name; None is NULL, as for one that is absent."""

DESTINATION_TYPES = ("topic", "queue", "address", "exchange")
"""The types of destinations of topograph's own systems (``System.destinations``)."""


def is_destination_type(type_: str) -> bool:
    """Whether some system has destinations of a type: one of topograph's own, else one from
    outside, which are only looked for then.
    """
    return type_ in DESTINATION_TYPES or type_ in extensions.destination_types()


@record
class DestinationName:
    """A destination as a question names it: ``topic:NAME``, ``queue:NAME``, ``address:NAME``, a
    type of a system from outside, or ``NAME@BUS`` / ``QUEUE@QMGR`` (``type`` empty, ``at`` the bus
    or queue manager)."""

    type: str
    name: str
    at: str = ""

    def __str__(self) -> str:
        text = f"{self.type}:{self.name}" if self.type else self.name
        return f"{text}@{self.at}" if self.at else text


@record
class Address:
    """An element of a routing path: a destination of a bus; ``bus`` is empty where none is
    named.
    """

    bus: str
    destination: str

    def __str__(self) -> str:
        return f"{self.bus}:{self.destination}"


Path = tuple[Address, ...]
"""A routing path, next element first."""


class MessageOptions(TypedDict, total=False):
    """What a sender may say beside destination, properties and user; each system reads some of
    it (``System.message_options``). Fields of ``Message``.
    """

    anonymous: bool
    queue_manager: str | None
    forward_path: Path | None
    reverse_path: Path
    reply_to: str
    reply_to_queue_manager: str
    reliability: str
    persistent: bool | None
    mode: str
    topic: str
    rollbacks: int | None
    via_engine: str
    routing_key: str | None
    expiration: str | None
    home_servers: str
    arrives_over: str
    header: str
    count: int
    further: Mapping[str, str]


MOST_MESSAGES = 1_000
"""The most messages of one question (``count``)."""

ALWAYS = -1
"""``rollbacks`` of a consumer that never takes the message."""

OPTIONS: Mapping[str, str] = {
    "anonymous": "--anonymous",
    "queue_manager": "--queue-manager",
    "forward_path": "--frp",
    "reverse_path": "--rrp",
    "reply_to": "--reply-to",
    "reply_to_queue_manager": "--reply-to-qmgr",
    "reliability": "--reliability",
    "persistent": "--persistent",
    "mode": "--mode",
    "topic": "--topic",
    "rollbacks": "--rollbacks",
    "via_engine": "--via-engine",
    "routing_key": "--key",
    "expiration": "--expiration",
    "home_servers": "--home-servers",
    "arrives_over": "--arrives-over",
    "header": "--header",
    "count": "--count",
}
"""Each of ``MessageOptions`` as it is spelled on the command line."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "mode": ("doc", "engine"),
    "home_servers": ("triggered", "not_triggered"),
}
"""The words that an option takes, where only some are allowed."""


@record
class MessageOption:
    """What senders may say in a system from outside, beside destination, properties and user: a
    text under a name (``Message.further``), on the command line behind ``option``."""

    name: str
    """Lower-case letters and underscores: ``routing_key``."""
    help: str
    """A sentence for ``--help``."""
    metavar: str = "TEXT"
    """What stands for the value in ``--help``."""

    @property
    def option(self) -> str:
        """The option of the command line: ``--routing-key``."""
        return f"--{self.name.replace('_', '-')}"


@record
class Message:
    """One message of a question. ``properties`` are those that the question sets, with the header
    fields that selectors may name (``JMSPriority``,
    ...); what it does not set is NULL to selectors, or what ``topograph.header_fields`` says of it. ``user`` is who publishes, empty if not said. An
    ``anonymous`` sender is attached to no address: each message names its own.

    The other fields are what senders say in systems whose messages carry or look up their own way;
    None or empty where the question does not say. ``queue_manager`` is the one that the sender
    names (empty: it names none). ``forward_path`` is the message's own way (empty: it has none),
    ``reverse_path`` that of its reply, ``reply_to`` with ``reply_to_queue_manager`` where the reply
    is to go. ``mode`` says how the path is followed (``doc`` as documented, ``engine`` as the
    program does it). ``rollbacks`` is how often a consumer gives the message back (``ALWAYS``),
    ``via_engine`` the engine that the sender is connected to, ``routing_key`` what bindings are
    compared with, ``expiration`` its own time to live (empty: it has none), ``home_servers`` whether those that
    collect messages have been triggered. ``arrives_over`` is a channel over which the message comes
    in, with ``header`` ``QUEUE@QMGR``. ``count`` such messages are sent, one after the other.
    ``further`` is what senders of systems from outside say (``MessageOption``), by name.
    """  # noqa: E501

    destination: DestinationName
    properties: Properties = field(default_factory=lambda: MappingProxyType({}))
    user: str = ""
    anonymous: bool = False
    queue_manager: str | None = None
    forward_path: Path | None = None
    reverse_path: Path = ()
    reply_to: str = ""
    reply_to_queue_manager: str = ""
    reliability: str = ""
    persistent: bool | None = None
    mode: str = ""
    topic: str = ""
    rollbacks: int | None = None
    via_engine: str = ""
    routing_key: str | None = None
    expiration: str | None = None
    home_servers: str = ""
    arrives_over: str = ""
    header: str = ""
    count: int = 1
    further: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def to(
        cls,
        destination: str | DestinationName,
        properties: Properties | None = None,
        *,
        user: str = "",
        **options: Unpack[MessageOptions],
    ) -> Message:
        """A message to ``topic:NAME``, ``queue:NAME``, ``address:NAME``, ``DEST@BUS``,
        ``QUEUE@QMGR`` or a destination of a type from outside. Raises UnknownDestination, and
        UsageError for a header field or an option with a value that it cannot have."""
        named = parse_destination(destination) if isinstance(destination, str) else destination
        for name, value in (properties or {}).items():
            fault = header_fault(name, value)
            if fault:
                raise UsageError(f"{fault}.")
        persistent = options.get("persistent")
        mode = (properties or {}).get("JMSDeliveryMode")
        if persistent is not None and mode not in (
            None,
            "PERSISTENT" if persistent else "NON_PERSISTENT",
        ):
            raise UsageError(
                f"{'--persistent' if persistent else '--nonpersistent'} contradicts "
                f"JMSDeliveryMode={mode}. Give only one of them."
            )
        for name, allowed in CHOICES.items():
            word = options.get(name)
            if word and word not in allowed:
                raise UsageError(f"{OPTIONS[name]} is {' or '.join(allowed)}, not {word!r}.")
        if not 1 <= options.get("count", 1) <= MOST_MESSAGES:
            raise UsageError(
                f"--count is a number from 1 to {MOST_MESSAGES:,}, not {options['count']}."
            )
        return cls(named, MappingProxyType(dict(properties or {})), user, **options)

    def options(self) -> dict[str, object]:
        """Those of ``MessageOptions`` that the sender gave, by name, in order."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name in OPTIONS and getattr(self, one.name) != one.default
        }

    def to_dict(self) -> dict[str, object]:
        """The message as answers echo it: every property with its type, so that ``7`` and
        ``'7'`` are told apart.
        """
        return {
            "destination": str(self.destination),
            "properties": {
                name: {"type": type_name(value), "value": value}
                for name, value in self.properties.items()
            },
            "user": self.user,
            **{name: _as_json(value) for name, value in self.options().items()},
            **({"further": dict(self.further)} if self.further else {}),
        }


def _as_json(value: object) -> object:
    """An option as answers echo it, which is how a message file says it."""
    if isinstance(value, tuple):
        return [{"bus": one.bus, "destination": one.destination} for one in value]
    return "always" if value == ALWAYS and not isinstance(value, bool) else value


def type_name(value: Value | None) -> str:
    """``boolean``, ``long``, ``double``, ``string`` or ``null``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "long"
    return "double" if isinstance(value, float) else "string"


def parse_destination(text: str) -> DestinationName:
    """Read DEST of the command line. Raises UnknownDestination with the accepted forms, and
    UnknownSystem where a package that may know the type cannot be used.
    """
    type_, colon, rest = text.partition(":")
    if colon and rest and is_destination_type(type_):
        return DestinationName(type_, name_without_secret(rest))
    name, at, where = text.rpartition("@")
    if at and name and where and not colon:
        return DestinationName("", *map(name_without_secret, (name, where)))
    known = tuple(dict.fromkeys((*DESTINATION_TYPES, *extensions.destination_types())))
    if colon and type_ in known:
        raise UnknownDestination(
            f"{text!r} has no name after the colon. For example: {type_}:orders."
        )
    # Names without a type are topics more often than not; of "topcs:orders" the type is mistyped.
    types = nearest(type_, known) if colon else ["topic"]
    near = [f"{one}:{rest or type_}" for one in types if rest or not colon]
    hint = f" Did you mean {' or '.join(near)}?" if near and text else " For example: topic:orders."
    *forms, last = (f"{one}:NAME" for one in known)
    raise UnknownDestination(
        f"{text!r} is not a destination. Write {', '.join(forms)} or {last}.",
        "" if colon else text,
        hint,
    )


_INTEGER = r"[+-]?(0[xX][0-9a-fA-F]+|[0-9]+)[lL]?\Z"
_FLOAT = r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?\Z"


def parse_value(text: str) -> Value | None:
    """A value that reads as a selector literal has that literal's type, ``null`` is NULL; anything
    else is a string. A text that reads as a literal is written in quotes.

    >>> (parse_value("7"), parse_value("7.0"), parse_value("'it''s'"), parse_value("TRUE"),
    ...  parse_value("7 apples"))
    (7, 7.0, "it's", True, '7 apples')
    """
    if text.lower() == "null":
        return None
    if len(text) >= 2 and text[0] == text[-1] == "'" and "'" not in text[1:-1].replace("''", ""):
        return text[1:-1].replace("''", "'")
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.match(_INTEGER, text):
        written = text.rstrip("lL")
        sign = -1 if written.startswith("-") else 1
        plain = written.lstrip("+-")
        value = based(plain, 16) if "x" in plain.lower() else digits(plain, most=19)
        if value is None or not -(2**63) <= sign * value < 2**63:
            raise UsageError(
                f"{text} does not fit a 64-bit integer; write {text}.0 for an approximate number."
            )
        return sign * value
    if re.match(_FLOAT, text):
        real = double(text.rstrip("fFdD"))
        if real is None:
            raise UsageError(f"{text[:40]} does not fit a double; write it as text, in quotes.")
        return real
    return text


def parse_path(text: str, option: str = "--frp") -> Path:
    """Read a routing path: ``BUS:DESTINATION`` or ``DESTINATION``, with commas between. Raises
    UsageError for an element without a destination.

    >>> parse_path("B:A,C"), parse_path("")
    ((Address(bus='B', destination='A'), Address(bus='', destination='C')), ())
    """
    found = []
    for element in text.split(",") if text.strip() else ():
        bus, colon, destination = element.strip().partition(":")
        if not colon:
            bus, destination = "", bus
        if not destination:
            raise UsageError(
                f"{option} takes BUS:DESTINATION,BUS:DESTINATION,... , not {text!r}: a "
                "destination is missing."
            )
        found.append(Address(bus, destination))
    return tuple(found)


def parse_count(text: str) -> int:
    """Read ``--count``: a whole number. Raises UsageError for what is none; ``Message.to`` says
    which are too small or too large.
    """
    found = digits(text, most=9)
    if found is None:
        raise UsageError(f"--count takes a number of messages, not {text!r}.")
    return found


def parse_rollbacks(text: str) -> int:
    """Read ``--rollbacks``: a number from 0 up, or ``always``. Raises UsageError."""
    if text == "always":
        return ALWAYS
    found = digits(text, most=9)
    if found is None:
        raise UsageError(f"--rollbacks takes a number from 0 up, or always; not {text!r}.")
    return found


_TYPE_WORDS = frozenset(
    {"bool", "boolean", "byte", "double", "float", "int", "integer", "long", "short", "string"}
)


def parse_properties(texts: Iterable[str]) -> dict[str, Value | None]:
    """Read every ``name=VALUE`` of ``--set``. Raises UsageError as ``parse_property``, and for a
    name with two values.
    """
    found: dict[str, Value | None] = {}
    for text in texts:
        name, value = parse_property(text)
        if name in found and (found[name], type(found[name])) != (value, type(value)):
            raise UsageError(
                f"--set gives {name} two values, {found[name]!r} and {value!r}. Give one."
            )
        found[name] = value
    return found


def parse_property(text: str) -> tuple[str, Value | None]:
    """Read ``name=VALUE`` of ``--set``. Raises UsageError where there is no name, and where a type
    stands behind it: no selector can name such a property, and the value has the type it shows.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(
            f"--set takes name=VALUE, not {text!r} (for example --set country=Canada)."
        )
    bare, colon, type_ = name.strip().rpartition(":")
    if colon and bare and type_.lower() in _TYPE_WORDS:
        raise UsageError(
            f"--set takes name=VALUE without a type, not {text!r}: 7 is a whole number, 7.0 a "
            f"decimal number, true a boolean, '7' in quotes a string (for example --set {bare}=7)."
        )
    return name.strip(), parse_value(value)
