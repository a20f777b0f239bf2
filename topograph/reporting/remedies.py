"""What to do about a finding, and what it means where it was found: by the kind of the finding.

``{server}`` stands for the server concerned, ``{file}`` for the file it was found in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from topograph.reporting.report import FindingShown


class Remedy(NamedTuple):
    """``do`` begins with a verb; ``means`` is what happens as long as nobody does it."""

    do: str
    means: str


_MISSING = "What {server} has in it is unknown, so that answers about {server} are incomplete."
_LOOP = "Messages go round for ever and never reach a receiver."
_SETTING = "{server} does not run with what this entry says."

REMEDIES: Mapping[str, Remedy] = {
    # Files
    "subfile-not-found": Remedy(
        "Add the missing file to the import, or map its folder in topograph.yaml.", _MISSING
    ),
    "subfile-resolved-by-suffix": Remedy(
        (
            "Confirm that the right file was read; if not, map its folder under paths in "
            "topograph.yaml."
        ),
        "If another file is meant, what is said here about {server} rests on the wrong one.",
    ),
    "unreadable-file": Remedy("Give {file} back its read permission, and import again.", _MISSING),
    "file-too-large": Remedy(
        "Split or clean {file}, and import again.", "Nothing of this file is known."
    ),
    "server-file-not-found": Remedy("Add the missing file, or correct topograph.yaml.", _MISSING),
    "unknown-directive": Remedy("Correct the spelling of this entry, or remove it.", _SETTING),
    "unknown-attribute": Remedy("Correct the spelling of this attribute, or remove it.", _SETTING),
    "unknown-section": Remedy("Correct the spelling of this section, or remove it.", _SETTING),
    "unknown-key": Remedy("Correct the spelling of this key, or remove it.", _SETTING),
    # Names
    "duplicate-server-name": Remedy(
        "Import the folder of one configuration only, or give the others a name of their own.",
        "Only the first is used; answers about {server} leave out the rest.",
    ),
    "ft-pair-mismatch": Remedy(
        "Copy the entry to the other member of the pair.",
        "After a failover {server} works differently.",
    ),
    "duplicate-router-id": Remedy(
        "Give each router an id of its own.", "Those with the same id do not connect to each other."
    ),
    # TIBCO EMS: routes and zones
    "duplicate-path": Remedy(
        "Remove one of the routes, or put them in different zones.",
        "{server} refuses one of the routes after a restart.",
    ),
    "multi-zone-cycle": Remedy(
        "Check that this cycle is intended.", "Another route could make it illegal."
    ),
    "global-at-one-end": Remedy(
        "Make the topic global at {server} too, or at neither end.",
        "Messages on it do not cross the route to {server}.",
    ),
    "global-in-part-at-one-end": Remedy(
        "Make the same topics global at {server}.",
        "The topics that are not global at {server} do not cross the route.",
    ),
    "global-topic-without-limit": Remedy(
        "Set maxbytes or maxmsgs on the topic at {server}.",
        "While a neighbour is down, what waits for it can fill the store of {server}.",
    ),
    "durable-behind-active-passive-route": Remedy(
        "Configure the route on both servers.",
        "While the route is down, messages for the durable subscriber are lost or come twice.",
    ),
    "route-to-unloaded-server": Remedy(
        "Import the files of the server that the route leads to, or remove the route.",
        "What lies behind the route is unknown, so that answers beyond {server} are incomplete.",
    ),
    "route-port-not-listened-on": Remedy(
        "Correct the port in the URL of the route, or the listen entry of the other server.",
        "The route of {server} does not connect.",
    ),
    "route-to-itself": Remedy(
        "Remove the route, or name the server that is meant.", "The route is ignored."
    ),
    "routing-disabled": Remedy(
        "Set routing to enabled at {server}, or remove the route.", "The route is down."
    ),
    "suspended-route-unknown": Remedy(
        "Correct the name of the suspended route.", "No route is taken as suspended."
    ),
    "zone-conflict": Remedy(
        "Write the same zone name and type at both ends of the route.",
        "Which servers messages reach over it cannot be said for certain.",
    ),
    "zone-type-elsewhere": Remedy(
        "Give one of the zones another name.", "A route between the two would be refused."
    ),
    "duplicate-route": Remedy(
        "Remove one of the two entries.", "Which of them counts is not certain."
    ),
    # TIBCO EMS: topics, queues, selectors, bridges, rights
    "selector-invalid": Remedy(
        "Correct the selector.", "{server} does not start, or ignores the route."
    ),
    "selector-constant": Remedy(
        "Correct or remove the selector.", "It lets through all messages, or none."
    ),
    "selector-topic-unknown": Remedy(
        "Correct the topic of the selector.", "The selector has no effect."
    ),
    "selector-topic-not-global": Remedy(
        "Make the topic global, or remove the selector.", "It has no effect."
    ),
    "duplicate-selector": Remedy(
        "Write one selector for the topic.", "A message must pass both of them."
    ),
    "wildcard-not-subset-of-global": Remedy(
        "Narrow the wildcard, or make a topic global that covers it.",
        "Some messages for it from other servers do not come.",
    ),
    "store-conflict": Remedy(
        "Name the same store in both entries.", "{server} refuses the second entry."
    ),
    "prefetch-none": Remedy("Remove prefetch=none.", "{server} does not route the destination."),
    "grant-missing": Remedy(
        "Add the line to acl.conf of {server}.", "Messages do not cross the route."
    ),
    "grant-principal-undefined": Remedy(
        "Define the user or group at {server}, or remove the grant.", "The grant has no effect."
    ),
    "home-queue-not-global": Remedy(
        "Make the queue global at its home.", "Other servers may not be able to use it."
    ),
    "routed-queue-no-home": Remedy(
        "Create the queue at its home.", "Messages sent at {server} stay there."
    ),
    "routed-queue-no-route": Remedy(
        "Configure a direct route from {server} to the home of the queue.",
        "Messages sent at {server} stay there.",
    ),
    "routed-queue-exclusive": Remedy(
        "Remove exclusive from the entry.", "{server} refuses the entry."
    ),
    "routed-queue-wildcard": Remedy(
        "Name each queue without a wildcard.", "{server} refuses the entry."
    ),
    "routed-queue-home-dynamic": Remedy(
        "Create the queue at its home explicitly.", "Whether messages reach it cannot be said."
    ),
    "routed-queue-owner-unknown": Remedy(
        "Import the files of the home server.", "Whether it has the queue is unknown."
    ),
    "duplicate-bridge": Remedy("Remove one of the two bridges.", "{server} does not start."),
    "bridges-feed-each-other": Remedy("Remove one of the bridges.", _LOOP),
    # AMQ Interconnect
    "role-mismatch": Remedy(
        "Set the same role at connector and listener.", "The two do not become neighbours."
    ),
    "self-connection": Remedy(
        "Point the connector at another router.", "The connector joins nothing."
    ),
    "unmatched-connector": Remedy(
        "Import the files of the router it leads to, or map the host in topograph.yaml.",
        "What lies behind the connector is unknown.",
    ),
    "multicast-copies": Remedy(
        "Update the routers, or remove a parallel path.",
        "Receivers can get a message more than once.",
    ),
    "waypoint-without-autolink": Remedy(
        "Add an autolink for the address.", "Senders get no credit."
    ),
    "autolink-without-waypoint": Remedy(
        "Set waypoint on the address.", "What the broker sends back has no receiver."
    ),
    "autolink-one-direction": Remedy(
        "Add the autolink of the other direction.", "Messages stay in the broker."
    ),
    "autolink-wrong-phase": Remedy(
        "Correct the phase of the autolink.", "It meets no senders or receivers."
    ),
    "fallback-not-enabled": Remedy(
        "Set enableFallback at {server}.", "Its senders get no credit instead."
    ),
    "fallback-without-autolink": Remedy(
        "Add a fallback autolink.", "Messages without a receiver are not stored."
    ),
    "treatment-mismatch": Remedy(
        "Write the same distribution on all routers.", "How many get a message varies."
    ),
    # IBM MQ
    "transmission-queue-without-channel": Remedy(
        "Define a sender channel for the queue, or remove it.", "Messages put on it stay there."
    ),
    "messages-circulate": Remedy("Correct the definition that leads back.", _LOOP),
    "nonpersistent-messages-can-vanish": Remedy(
        "Set DEADQ at the receiving queue manager, or NPMSPEED(NORMAL).",
        "Nonpersistent messages that cannot be put are lost without a trace.",
    ),
    # SIBus
    "exception-destination-not-found": Remedy(
        "Create the exception destination, or name one that exists.",
        "Failed messages go to the system exception destination, where nobody may look.",
    ),
    "exception-destination-no-queue": Remedy(
        "Name a queue.", "The system exception destination is used."
    ),
    "exception-destination-is-itself": Remedy(
        "Name another queue.", "A failed message comes back to it."
    ),
    "exception-cycle": Remedy("Name a queue outside the circle.", "A failed message goes round."),
    "default-path-cycle": Remedy(
        "Correct the default path that leads back.", "Messages are cut off after 20 redirects."
    ),
    "service-without-path": Remedy(
        "Set a default path on the service.", "Every request to it fails."
    ),
    "alias-cycle": Remedy(
        "Point one of the aliases at a queue.", "Messages to these names are refused."
    ),
    # MQe
    "not-collected": Remedy(
        (
            "Define the home-server queue that collects them, or import the files of that "
            "queue manager."
        ),
        "The messages wait at {server} until somebody collects them.",
    ),
    "collects-nothing": Remedy(
        "Define the store-and-forward queue, or correct the name.",
        "{server} gets none of the messages kept for it.",
    ),
    "via-leads-nowhere": Remedy(
        "Define the missing connection.", "Messages over it cannot be sent."
    ),
    "push-circle": Remedy("Remove one of the pushes.", _LOOP),
    "alias-circle": Remedy("Correct one of the aliases.", "A put to these names fails."),
}

USUAL: Mapping[str, Remedy] = {
    "error": Remedy(
        "Correct this entry in {file}, or remove it.",
        "What is configured there cannot work as written.",
    ),
    "warning": Remedy(
        "Check this entry in {file}, and correct it if it is not meant so.",
        (
            "It works, but messages may be lost, held or sent elsewhere, or answers about it "
            "are incomplete."
        ),
    ),
    "info": Remedy("Nothing needs to be done.", "Nothing fails because of it."),
}
"""What holds for a finding whose kind says no more, by severity (outcomes.md section 4)."""


def remedy(finding: FindingShown, noun: str, sentence: str = "") -> Remedy:
    """What to do about one finding, with its names filled in; ``noun`` is what servers are
    called there, ``sentence`` what the rule says: what a finding means whose kind says no more."""
    usual = USUAL[finding.severity]
    found = REMEDIES.get(finding.kind) or Remedy(usual.do, sentence or usual.means)
    server = finding.server or f"this {noun}"
    return Remedy(
        *(text.replace("{server}", server).replace("{file}", finding.source.file) for text in found)
    )
