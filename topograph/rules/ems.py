"""Every rule of TIBCO EMS, under the headings of ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.rules import Rule, checks_of, ems_findings, ems_links
from topograph.rules.ems_findings import (
    A10,
    A13,
    A17,
    R2,
    R3,
    R4,
    R6,
    R7,
    R40,
    R42,
    R45,
    R49,
    R50,
    R53,
    R68,
    R83,
    R93,
    R100,
    R110,
    SECTION_1_1,
    SECTION_1_2,
    SECTION_1_3,
    SECTION_1_4,
    SECTION_1_6,
    SECTION_3_1,
    SECTION_3_2,
    SECTION_3_3,
    SECTION_3_4,
    SECTION_3_5,
    SECTION_3_6,
    SECTION_3_7,
)

GROUPS: Mapping[str, Sequence[Rule]] = {
    "Zones, routes and the check for cycles": (
        Rule(
            "R1",
            "Routes join two servers",
            (
                "A route joins exactly two servers and carries messages both ways, whichever "
                "side configured it."
            ),
        ),
        R2,
        R3,
        R4,
        Rule(
            "R5",
            "Promoting a passive route",
            "Creating a route on a server whose side is passive makes the route active-active.",
        ),
        R6,
        R7,
        Rule(
            "R8",
            "One type per zone",
            "All routes of a zone have the same zone type; the first route fixes it.",
        ),
        Rule(
            "R9",
            "Zones of a route are fixed",
            "The zone name and zone type of a route cannot be changed after it is created.",
        ),
        Rule(
            "R10",
            "Multi-hop zones",
            "In a zone of type mhop, topic messages pass on from route to route.",
        ),
        Rule(
            "R11",
            "One-hop zones",
            (
                "In a zone of type 1hop, topic messages cross one route of the zone: from the "
                "server where they were published or where they entered the zone."
            ),
        ),
        Rule(
            "R12",
            "Overlapping zones",
            (
                "A server may have routes in several zones, and passes messages from one zone "
                "to another."
            ),
        ),
        Rule(
            "R13",
            "When a message goes on",
            (
                "A message that arrived over one route goes on over another if the two are in "
                "different zones, or in the same zone of type mhop."
            ),
        ),
        Rule(
            "R14",
            "Zone rules work both ways",
            "If zones let messages from S reach T, they let messages from T reach S.",
        ),
        Rule(
            "R15",
            "Hops in the new zone start at zero",
            "Where two zones meet, a message starts afresh in the second zone.",
        ),
        Rule(
            "R16",
            "Never back to a visited server",
            "A message is never sent to a server it has already passed.",
        ),
        Rule(
            "R17",
            "Zones are known by name",
            "Two routes of one server are in the same zone if their zone names are equal.",
        ),
        Rule(
            "R18",
            "Queues ignore zones",
            "Zones limit topic messages only.",
        ),
        Rule(
            "R20",
            "One path only",
            (
                "Routes that let a message reach a server over more than one path are illegal; "
                "servers refuse the route that would add the second path."
            ),
        ),
        Rule(
            "R21",
            "How servers find second paths",
            (
                "Each server tells its neighbours the name space of its temporary topics; a "
                "name space learned twice shows a second path."
            ),
        ),
        Rule(
            "R22",
            "What a server tells a neighbour",
            (
                "Over a route, a server announces its own name and the names it learned over "
                "routes of other zones, or of the same mhop zone."
            ),
        ),
        Rule(
            "R23",
            "A cycle is detected",
            "A server that learns another server's name over two routes has found a cycle.",
        ),
        Rule(
            "R24",
            "The new route is refused",
            (
                'A route that would close a second path is refused with "Implicit route to '
                "'<server>' already exists\"."
            ),
        ),
        Rule(
            "R25",
            "Legal means one path per pair",
            "A network is legal if zones permit at most one path between any two servers.",
        ),
        Rule(
            "R26",
            "Cycles that a 1hop zone interrupts",
            (
                "A cycle is harmless at a server where both of its routes belong to the same "
                "1hop zone."
            ),
        ),
        Rule(
            "R27",
            "What follows for zones",
            "For example, the routes of one mhop zone may not contain a cycle at all.",
        ),
        Rule(
            "R28",
            "The order of creation",
            (
                "Whether a network is legal does not depend on the order in which routes are "
                "created; which route is refused does."
            ),
        ),
        Rule(
            "R29",
            "Selectors do not help",
            (
                "The check for cycles ignores topics, subscribers and selectors: a selector "
                "cannot make an illegal network legal."
            ),
        ),
        Rule(
            "R30",
            "Routes that are down count",
            "A configured route counts in the check for cycles even while it is down.",
        ),
    ),
    "Topics, interest and selectors": (
        R40,
        Rule(
            "R41",
            "Messages follow interest",
            "A message is sent over a route only if the server at the other end wants its topic.",
        ),
        R42,
        Rule(
            "R43",
            "Names stay the same",
            "A topic has the same name on every server; routes do not rename.",
        ),
        Rule(
            "R44",
            "Global is inherited",
            "A topic is global if a pattern that matches it is global.",
        ),
        R45,
        Rule(
            "R46",
            "Wildcard subscriptions",
            (
                "A wildcard subscription gets routed messages reliably only if all it matches "
                "is covered by one global topic."
            ),
        ),
        Rule(
            "R47",
            "Selectors of subscribers",
            (
                "A subscriber's selector decides what that subscriber gets, not what is sent "
                "over a route."
            ),
        ),
        Rule(
            "R48",
            "At most once per server",
            "Each server receives a message at most once.",
        ),
        R49,
        R50,
        Rule(
            "R51",
            "Prefetch of a route",
            "A route's topic_prefetch replaces that of the topic on this route.",
        ),
        Rule(
            "R52",
            "Flow control",
            "Flow control can pause a route or block publishers; it never loses messages.",
        ),
        R53,
        Rule(
            "R60",
            "Incoming and outgoing",
            "incoming_topic and outgoing_topic are seen from the server whose file they are in.",
        ),
        Rule(
            "R61",
            "One selector, two spellings",
            "An incoming selector on one side does the same as an outgoing one on the other side.",
        ),
        Rule(
            "R62",
            "Selectors of both sides",
            "If both sides of a route set a selector for a topic, a message must pass both.",
        ),
        Rule(
            "R63",
            "Selectors of patterns",
            "All selectors whose pattern matches the topic apply, joined by AND.",
        ),
        Rule(
            "R64",
            "No selector",
            "Without a matching selector everything passes.",
        ),
        Rule(
            "R65",
            "The selector of a route",
            (
                "A message passes if it fits the matching outgoing selectors of the sender and "
                "the matching incoming selectors of the receiver."
            ),
        ),
        Rule(
            "R66",
            "Selectors on every route",
            "A message over several routes must pass the selectors of each.",
        ),
        Rule(
            "R67",
            "Selectors are for global topics",
            "Route selectors apply to topics only, and the topic must be global.",
        ),
        R68,
        Rule(
            "R69",
            "Unknown is not a match",
            "A selector that evaluates to FALSE or UNKNOWN does not let the message pass.",
        ),
        Rule(
            "R70",
            "Several selector lines",
            "Several selector lines for one topic and direction all apply, joined by AND.",
        ),
        Rule(
            "R80",
            "Wildcards",
            "`*` stands for one element of a name; `>` at the end stands for one or more.",
        ),
        Rule(
            "R81",
            "What is not a wildcard",
            "`*` inside an element, and `>` anywhere but at the end, are ordinary characters.",
        ),
        Rule(
            "R82",
            "When a pattern covers another",
            "A pattern covers another if every name that the other matches is matched by it too.",
        ),
        R83,
        Rule(
            "R84",
            "Exceptions to inheritance",
            (
                "overflowPolicy, prefetch, store and names such as `$TMP$.>` have their own "
                "inheritance rules."
            ),
        ),
        Rule(
            "R85",
            "No publishing to wildcards",
            "Nobody can publish to a wildcard topic, or send to or receive from a wildcard queue.",
        ),
        Rule(
            "R90",
            "Names of temporary destinations",
            "Temporary topics and queues carry the name of the server that made them.",
        ),
        Rule(
            "R91",
            "Temporary topics need no global",
            "Messages to temporary topics cross routes without any global setting.",
        ),
        Rule(
            "R92",
            "Replies to temporary queues",
            (
                "A reply to a temporary queue is routed only if the two servers are direct "
                "neighbours."
            ),
        ),
        R93,
    ),
    "Queues, bridges and failures": (
        R100,
        Rule(
            "R101",
            "Sending to a routed queue",
            (
                "A server stores a message for a routed queue and forwards it to the home; "
                "nobody can receive it before it has been there."
            ),
        ),
        Rule(
            "R102",
            "Receiving from a routed queue",
            (
                "A consumer elsewhere is served by its own server, which receives from the home"
                " for it."
            ),
        ),
        Rule(
            "R103",
            "Only direct routes to the home",
            "A queue message goes at most one route to the home and one route from it.",
        ),
        Rule(
            "R104",
            "One consumer gets it",
            "Exactly one consumer in the whole network gets each queue message.",
        ),
        Rule(
            "R105",
            "When the home is away",
            (
                "While the home or the route to it is down, servers keep storing messages for "
                "it, and consumers elsewhere get nothing."
            ),
        ),
        Rule(
            "R106",
            "Home queues should be global",
            "A queue should be global at its home for other servers to use it.",
        ),
        Rule(
            "R107",
            "Rights on secure queues",
            (
                "The receiving server must grant the sending server the right to send to a "
                "secure routed queue."
            ),
        ),
        R110,
        Rule(
            "R111",
            "Bridges do not chain",
            "A message that a bridge delivered is not bridged again.",
        ),
        Rule(
            "R112",
            "Bridged copies are routed",
            "A copy on a global topic or on a routed queue travels like any other message.",
        ),
        Rule(
            "R113",
            "Bridges on routed messages",
            (
                "Messages that arrive over a route are bridged too, and a bridge on a global "
                "topic asks for its messages."
            ),
        ),
        Rule(
            "R114",
            "Bridges can duplicate",
            (
                "A bridge can bring a second copy to a server; the check for cycles does not "
                "see that."
            ),
        ),
        Rule(
            "R120",
            "Who keeps messages while a neighbour is away",
            (
                "A server stores messages for a neighbour that is away only if the route is"
                " in its own configuration."
            ),
        ),
        Rule(
            "R121",
            "No way around",
            "Paths are unique, so a lost server or route cuts off every pair whose path used it.",
        ),
        Rule(
            "R122",
            "When the server in between fails",
            (
                "If the forwarding server fails, the server before it decides in the same way "
                "whether messages are kept."
            ),
        ),
        Rule(
            "F1",
            "Subscriber without a durable leaves",
            "Nothing is kept for it: it misses what is published until it returns.",
        ),
        Rule(
            "F2",
            "Durable subscriber leaves",
            "Its messages are stored at its server.",
        ),
        Rule(
            "F3",
            "Server fails, active-active",
            "Its neighbour stores the messages and delivers them when it is back.",
        ),
        Rule(
            "F4",
            "Server fails, only it configured the route",
            "Its neighbour stores nothing meanwhile: there is a gap.",
        ),
        Rule(
            "F5",
            "Server fails, only its neighbour configured the route",
            "Messages are stored, but consumers can get duplicates.",
        ),
        Rule(
            "F6",
            "Connection fails, active-passive",
            "The same happens as when a server fails.",
        ),
        Rule(
            "F7",
            "Connection fails, active-active",
            "Messages are stored and sent when the route is back.",
        ),
        Rule(
            "F8",
            "Static route durable",
            (
                "A durable that is configured for a route keeps messages whatever happens to "
                "the other server."
            ),
        ),
        Rule(
            "F9",
            "Limits of storage",
            (
                "Stored messages are limited by maxbytes, maxmsgs and overflowPolicy at the server "
                "that stores them."
            ),
        ),
    ),
    "Checks": (*checks_of(ems_findings), *checks_of(ems_links)),
    "Readings of what the documentation leaves open": (
        Rule(
            "A1",
            "Second paths are illegal",
            (
                "One sentence of a source seems to allow several paths; the others do not, and "
                "they are followed."
            ),
        ),
        Rule(
            "A2",
            "Cycles over several zones",
            (
                "Sources disagree about some cycles over several zones; `cycles --strict` gives"
                " the stricter verdict."
            ),
        ),
        Rule(
            "A3",
            "Zones in a drawing",
            "A drawing in a source does not name the zones of two routes.",
        ),
        Rule(
            "A4",
            "Words about active-passive",
            "A source names a server as the end of a route that it is not.",
        ),
        Rule(
            "A5",
            "A misprint about wildcards",
            "A list of subscriptions in a source does not fit its example.",
        ),
        Rule(
            "A6",
            "All selectors or one",
            (
                "Sources disagree whether a message must pass all matching selectors or one; "
                "all is assumed."
            ),
        ),
        Rule(
            "A7",
            "Second paths further away",
            (
                "Whether a server sees a second path that it causes elsewhere does not change "
                "the verdict."
            ),
        ),
        Rule(
            "A8",
            "Order of names in the error",
            "Which servers a source names as colliding does not change the verdict.",
        ),
        Rule(
            "A9",
            "Ends that disagree about the zone",
            "If the two ends name different zones, the zone of the first server by name counts.",
        ),
        A10,
        Rule(
            "A11",
            "Subscriber selectors and interest",
            "Whether they do does not change who gets a message.",
        ),
        Rule(
            "A12",
            "Bridges and interest",
            (
                "A bridge on another server is assumed to ask for messages and to copy those "
                "that arrive over routes."
            ),
        ),
        A13,
        Rule(
            "A14",
            "Wildcards beyond global topics",
            "Messages for such a subscription are never called delivered.",
        ),
        Rule(
            "A15",
            "Temporary topics over several routes",
            "They reach every server that learned the name of their server.",
        ),
        Rule(
            "A16",
            "Two selector lines",
            "Several lines for one topic are assumed to apply together.",
        ),
        A17,
        Rule(
            "A18",
            "Routing off on one side",
            "A route with routing disabled at one end is taken as down.",
        ),
        Rule(
            "A19",
            "Spellings in JSON",
            "All spellings of the keys are read.",
        ),
        Rule(
            "A20",
            "Details of tibemsd.conf",
            (
                "Relative file names are looked up from the file that names them, and the rest "
                "is read leniently."
            ),
        ),
        Rule(
            "A21",
            "Comparing unlike types",
            "Comparing a number with a string is FALSE.",
        ),
        Rule(
            "A22",
            "How hops are counted",
            "Answers show routes and zones.",
        ),
        Rule(
            "A23",
            "Rights on secure routed queues",
            (
                "A server is assumed to need no right to receive from a secure routed queue of "
                "another."
            ),
        ),
        Rule(
            "A24",
            "Selectors and temporary topics",
            "Route selectors are assumed not to apply to temporary topics.",
        ),
        Rule(
            "A25",
            "Rights without acl.conf",
            "Without acl.conf the rights on secure destinations are not known.",
        ),
        Rule(
            "A26",
            "Whether a limit is reached",
            "One message does not show whether a store is full; answers name the other reading.",
        ),
        Rule(
            "A27",
            "Messages to a queue that is not global",
            "Messages are assumed to be routed to it all the same.",
        ),
        Rule(
            "A28",
            "Home with only a pattern",
            "Whether a routed message creates the queue there is not known.",
        ),
        Rule(
            "A29",
            "Home that is itself routed",
            "Where a message waits whose home names another home is not known.",
        ),
    ),
    "Sections of the specification, which findings about the form of files and commands cite": (
        SECTION_1_1,
        SECTION_1_2,
        SECTION_1_3,
        SECTION_1_4,
        Rule(
            "1.5",
            "Queues",
            "How queues may be named, and which properties they take.",
        ),
        SECTION_1_6,
        SECTION_3_1,
        SECTION_3_2,
        SECTION_3_3,
        SECTION_3_4,
        SECTION_3_5,
        SECTION_3_6,
        SECTION_3_7,
        Rule(
            "3.8",
            "Selectors",
            "How a selector is written, and what it says of a message: TRUE, FALSE or UNKNOWN.",
        ),
    ),
}

RULES: Sequence[Rule] = tuple(rule for group in GROUPS.values() for rule in group)
