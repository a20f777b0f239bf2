"""What answers about messages say, with fields in braces: a page says the same
(``portable_messages``).
"""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "bridge_selector": "the selector of {note}: {selector}",
    "copies": "{note} copies it",
    "copy_not_followed": (
        "{note} at {server} copies the message; what becomes of the copy is not followed (R112)"
    ),
    "copies_too_many": (
        "more than {most} copies of bridges; the one on {destination} at {server} is not followed"
    ),
    "copies_limit": "more than {most} copies of bridges; the others are not followed",
    "copies_received": (
        "{subscriber} to {destination} at {server} gets {copies} copies, which bridges make"
    ),
    "default": "the message has {name} {value}, the default of senders",
    "default_otherwise": "--set {name}=VALUE asks about a message that is sent with another",
    "goes_round": (
        "a copy was put on {destination} here before: bridges feed each other, and the message "
        "goes round"
    ),
    "held": "stored at {at} for {to}: the route to {to} is suspended there",
    "in_part": (
        "the subscription {subscription} at {server} is routed through {through}, "
        "although it is not a subset of a global topic there"
    ),
    "in_part_otherwise": "{server} may not get the message",
    "more_reading": "if {alternative}, {servers} would get it too",
    "no_entry": "no entry of {server}'s topics.conf allows a topic {topic}{near}",
    "no_interest": "no subscriber at {server} or behind it",
    "no_interest_known": (
        "no subscriber at {server} or behind it is known; the loaded files do not decide it"
    ),
    "no_permission": "{topic} is secure at {server} and user {user} has no publish permission",
    "not_at_end": "{topic} is not global at {ends}",
    "not_at_end_joined": " nor at ",
    "not_followed": (
        "{note} at {server} takes the message there; what it does with it is not followed"
    ),
    "own_selector": "the subscriber's own selector: {selector}",
    "resumed": "the route to {to} is resumed at {at}",
    "selector_depends": (
        "the selector {selector} depends on {names}; --set {first}=VALUE decides it"
    ),
    "selector_fault": "the selector is not understood: {fault}{selector}",
    "selector_invalid": "the selector is not valid: {fault}",
    "subscriber_assumed": "a subscriber that is assumed here",
    "subscriber_configured": "a durable subscriber",
    "subscriber_declared": "a declared subscriber",
    "subscriber_observed": "a subscriber that the server listed",
    "topics_not_found": "topics.conf of {server}, which was not found, allows the topic {topic}",
    "topics_not_found_otherwise": "{server} refuses the message",
    "topics_not_shown": "whether {server} has the topic {topic} is not shown",
    "unreliable": (
        "the subscription {subscription} is not a subset of a global topic of its "
        "server; it is not routed reliably (R46)"
    ),
    "joined_names": " and ",
}


def text(name: str, /, **fields: object) -> str:
    """The text of this name with its fields.

    >>> text("no_interest", server="EAST")
    'no subscriber at EAST or behind it'
    """
    return TEXTS[name].format(**fields)
