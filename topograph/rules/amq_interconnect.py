"""Every rule of AMQ Interconnect, under the headings of ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.rules import Rule
from topograph.rules.amq_interconnect_findings import (
    A_3,
    A_4,
    A_5,
    A_9,
    A_11,
    A_14,
    C_1,
    C_2,
    C_3,
    C_4,
    C_5,
    C_6,
    C_7,
    D_1,
    D_2,
    D_3,
    D_6,
    E_1,
    E_7,
    E_8,
    F_2,
    F_6,
    L_1,
    L_4,
    L_6,
    L_9,
    M_4,
    POSITION_12,
    S_2,
    S_3,
    S_6,
    SECTION_1_1,
    SECTION_1_2,
    SECTION_1_3,
    SECTION_1_8,
    SECTION_3_1,
    SECTION_3_3,
    SECTION_3_4,
    SECTION_3_5,
    SECTION_3_6,
    T_1,
    T_2,
    T_3,
    T_4,
    T_9,
    T_10,
    T_11,
    T_12,
    T_13,
    T_14,
    W_3,
    W_9,
    W_14,
)

GROUPS: Mapping[str, Sequence[Rule]] = {
    "Configuration and addresses": (
        C_1,
        C_2,
        C_3,
        C_4,
        C_5,
        C_6,
        C_7,
        Rule(
            "C-8",
            "Spellings of true and false",
            "yes, true, on, no, false and off are understood in any case.",
        ),
        Rule(
            "C-9",
            "Dashes in names",
            "Names with dashes are read as their camelCase form.",
        ),
        Rule(
            "C-10",
            "Missing sections",
            "Sections that every router has are added with their defaults.",
        ),
        Rule(
            "A-1",
            "Separators in addresses",
            "A dot and a slash both separate the parts of an address.",
        ),
        Rule(
            "A-2",
            "Wildcards in patterns",
            "`*` matches one part of an address, `#` any number.",
        ),
        A_3,
        A_4,
        A_5,
        Rule(
            "A-6",
            "Addresses before matching",
            "Scheme, host and outer separators of an address are removed before it is matched.",
        ),
        Rule(
            "A-7",
            "The best match wins",
            "The most specific pattern that matches an address decides.",
        ),
        Rule(
            "A-8",
            "No entry matches",
            "Without a matching entry the router's default distribution applies.",
        ),
        A_9,
        Rule(
            "A-10",
            "Learned treatment",
            (
                "A router without an entry for an address treats it as the router that "
                "announced it does."
            ),
        ),
        A_11,
        Rule(
            "A-12",
            "Internal addresses",
            "Addresses such as `_local/` or `$management` belong to the router and are left out.",
        ),
        Rule(
            "A-13",
            "Multi-tenant listeners",
            "On such a listener the name of the virtual host is put in front of the address.",
        ),
        A_14,
    ),
    "Topology and messages": (
        T_1,
        T_2,
        T_3,
        T_4,
        Rule(
            "T-5",
            "The cheaper way around",
            "Messages to a neighbour can go over another router if that is cheaper.",
        ),
        Rule(
            "T-6",
            "Hop by hop",
            "Every router decides for itself where a message goes next.",
        ),
        Rule(
            "T-7",
            "Cost of a path",
            "A path costs the sum of its links; the number of hops does not matter.",
        ),
        Rule(
            "T-8",
            "Valid origins",
            (
                "A router passes on only messages from routers for which it lies on the "
                "cheapest path."
            ),
        ),
        T_9,
        T_10,
        T_11,
        T_12,
        T_13,
        T_14,
        Rule(
            "M-1",
            "Credit",
            "A sender may send only while its address has a destination.",
        ),
        Rule(
            "M-2",
            "Anonymous senders",
            (
                "A sender without an address may always send; a message without a destination "
                "comes back or is dropped."
            ),
        ),
        Rule(
            "M-3",
            "Closest",
            (
                "A message goes to a receiver on the same router, else to the router with the "
                "lowest cost."
            ),
        ),
        M_4,
        Rule(
            "M-5",
            "Balanced",
            (
                "A message goes to the receiver with the fewest unsettled deliveries, where "
                "distance counts as a handicap."
            ),
        ),
        Rule(
            "M-6",
            "Unavailable",
            "Senders and receivers of the address are refused.",
        ),
        Rule(
            "M-7",
            "Settlement",
            (
                "The outcome at the receiver is passed back to the sender; of several copies "
                "the worst counts."
            ),
        ),
        Rule(
            "M-8",
            "Priority",
            "Priority changes the order on a connection, never the path.",
        ),
        Rule(
            "M-9",
            "Receivers are not refused",
            "A receiver may attach even if nobody sends.",
        ),
        Rule(
            "M-10",
            "Routers store nothing",
            "A router keeps no messages: without a destination they are not taken.",
        ),
        Rule(
            "M-11",
            "One consumer or all",
            "Closest and balanced give each message to one consumer, multicast to all.",
        ),
    ),
    "Autolinks, fallback, link routes and edges": (
        Rule(
            "W-1",
            "Phases",
            "An address with a waypoint exists once per phase: before the broker and after it.",
        ),
        Rule(
            "W-2",
            "Autolinks",
            (
                "An outgoing autolink makes a broker a destination of an address, an incoming "
                "one makes it a source."
            ),
        ),
        W_3,
        Rule(
            "W-4",
            "The broker stores",
            "The way to the broker works without any receiver.",
        ),
        Rule(
            "W-5",
            "Several brokers for one address",
            "Each message goes to one of the brokers.",
        ),
        Rule(
            "W-6",
            "Two names",
            "An autolink can use another address at the broker than in the network.",
        ),
        Rule(
            "W-7",
            "When an autolink is active",
            (
                "An autolink is active while a connection of role route-container with its name"
                " or container id is open."
            ),
        ),
        Rule(
            "W-8",
            "Autolinks serve one address",
            "An autolink serves its own address only, not those below it.",
        ),
        W_9,
        Rule(
            "W-10",
            "Autolink without an entry",
            "Its address is balanced, whatever the default distribution.",
        ),
        Rule(
            "W-11",
            "Clients as waypoints",
            "A client can ask to act as a waypoint; no file shows it.",
        ),
        Rule(
            "W-12",
            "Brokers that connect",
            (
                "If the broker connects to the router, autolinks and link routes name the "
                "listener or the container id."
            ),
        ),
        Rule(
            "W-13",
            "One producer per queue",
            "With autolinks the broker sees the router, not the clients.",
        ),
        W_14,
        Rule(
            "W-15",
            "Autolinks per broker",
            "Each broker that shares a queue needs its own connection and autolinks.",
        ),
        Rule(
            "W-16",
            "Autolink into a router",
            (
                "Over a connection to another router an autolink attaches there as a client does: "
                "nothing is stored."
            ),
        ),
        Rule(
            "F-1",
            "Fallback",
            "Messages that find no destination go to the fallback destination of their address.",
        ),
        F_2,
        Rule(
            "F-3",
            "Only without a destination",
            (
                "While any destination can be reached nothing goes to the fallback, even if it "
                "refuses the message."
            ),
        ),
        Rule(
            "F-4",
            "Back from the fallback",
            "An incoming fallback autolink brings stored messages back when a receiver appears.",
        ),
        Rule(
            "F-5",
            "Fallback is balanced",
            "Fallback destinations are always balanced.",
        ),
        F_6,
        Rule(
            "F-7",
            "Order after fallback",
            "New messages mix with the stored ones while the queue drains.",
        ),
        L_1,
        Rule(
            "L-2",
            "Which link routes a router knows",
            "A router knows its own link routes and those that are active elsewhere.",
        ),
        Rule(
            "L-3",
            "Which broker takes an attach",
            (
                "A router's own connections come first; else all routers with the link route "
                "take turns, whatever the cost."
            ),
        ),
        L_4,
        Rule(
            "L-5",
            "Links do not return",
            "When a connection drops, clients are detached and have to attach again.",
        ),
        L_6,
        Rule(
            "L-7",
            "Added and removed prefixes",
            "A link route can change the address towards the broker.",
        ),
        Rule(
            "L-8",
            "Same pattern twice",
            "Several link routes for one pattern on a router share their connections.",
        ),
        L_9,
        Rule(
            "L-10",
            "How link routes are announced",
            "Routers announce simple prefixes and other patterns in different classes.",
        ),
        Rule(
            "L-11",
            "The ends settle",
            "On a link route client and broker settle messages themselves.",
        ),
        Rule(
            "L-12",
            "Several brokers behind one connection",
            "They take turns, unless the container id names one.",
        ),
        Rule(
            "L-13",
            "When the broker is back",
            "The link route works again, and clients attach again.",
        ),
        E_1,
        Rule(
            "E-2",
            "Edges look like clients",
            "An interior router sees the receivers of an edge router as its own.",
        ),
        Rule(
            "E-3",
            "The uplink is one destination",
            "An edge router treats its uplink as one more local receiver.",
        ),
        Rule(
            "E-4",
            "No echo",
            "A message from an edge router is not sent back to it.",
        ),
        Rule(
            "E-5",
            "Edges have no cost",
            "Edge routers take no part in computing paths.",
        ),
        Rule(
            "E-6",
            "Edges offer to all",
            "What is configured on an edge router works in the whole network.",
        ),
        E_7,
        E_8,
        Rule(
            "E-9",
            "The first second",
            (
                "Just after a sender attaches to an edge router, messages may be delivered "
                "there only."
            ),
        ),
        Rule(
            "X-1",
            "Exchanges",
            (
                "An exchange sends a message on by its subject, to each next address with a "
                "matching binding."
            ),
        ),
        D_1,
        D_2,
        D_3,
        Rule(
            "D-4",
            "Cost in a dump",
            "A dump does not show the cost of a link; its configuration does.",
        ),
        Rule(
            "D-5",
            "Receivers in a dump",
            "A dump shows who receives from an address.",
        ),
        D_6,
        Rule(
            "D-7",
            "Traces of the dump itself",
            "The tool that makes a dump appears in it, and is left out.",
        ),
        Rule(
            "S-1",
            "Skupper Router",
            "It computes paths and matches addresses as AMQ Interconnect does.",
        ),
        S_2,
        S_3,
        Rule(
            "S-4",
            "Copies in newer versions",
            "From 3.1.0 on multicast makes no second copies.",
        ),
        Rule(
            "S-5",
            "Unreachable routers in Skupper",
            "Their addresses are dropped after one second instead of sixty.",
        ),
        S_6,
        Rule(
            "S-7",
            "Listeners with several addresses",
            "Connections go to the greatest address that is served, or to each with a share.",
        ),
    ),
    "Sections of the specification, which findings about the form of files and commands cite": (
        SECTION_1_1,
        SECTION_1_2,
        SECTION_1_3,
        SECTION_1_8,
        SECTION_3_1,
        Rule(
            "3.2",
            "Form of the JSON file",
            "The same entities and attributes, as JSON.",
        ),
        SECTION_3_3,
        SECTION_3_4,
        SECTION_3_5,
        SECTION_3_6,
        POSITION_12,
    ),
}

RULES: Sequence[Rule] = tuple(rule for group in GROUPS.values() for rule in group)
