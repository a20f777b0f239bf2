"""What ibm_mq.md leaves open (C6, and M-18): the readings to choose from, the first being that
of the rules.
"""

from __future__ import annotations

from topograph.systems.contract.ambiguities import Ambiguity, fixed

C2 = Ambiguity(
    "C-2",
    "M",
    {
        "error": (
            "a queue of the name in RQMNAME that is not a transmission queue is an error, and "
            "not looked through"
        ),
        "resolved_again": (
            "a name in RQMNAME whose queue is not a transmission queue is resolved once more, "
            "as one that an application gives"
        ),
    },
)
C3 = Ambiguity(
    "C-3",
    "M",
    {
        "error": "a local queue of USAGE(NORMAL) named as a queue manager is an error",
        "looked_up_elsewhere": (
            "a local queue of USAGE(NORMAL) named as a queue manager is passed over: "
            "clusters and DEFXMITQ decide"
        ),
    },
)
C9 = Ambiguity(
    "C-9",
    "L",
    {
        "first": (
            "a queue that several files define is as the first of them defines it, by name "
            "of the file"
        ),
        "last": (
            "a queue that several files define is as the last of them defines it, by name of "
            "the file"
        ),
    },
)
C10 = Ambiguity(
    "C-10",
    "L",
    {
        "exists": "an object with attributes that no version knows exists",
        "refused": (
            "the command that defines an object with attributes that no version knows was "
            "refused: the object does not exist"
        ),
    },
)
C11 = Ambiguity(
    "C-11",
    "L",
    {
        "blank": "DEADQ and DEFXMITQ are blank where no file sets them and no dump shows them",
        "not_known": (
            "what DEADQ and DEFXMITQ are is not known where no file sets them and no dump "
            "shows them"
        ),
    },
)
C13 = Ambiguity(
    "C-13",
    "M",
    {
        "dead_letter": (
            "a message put by name on a transmission queue goes to the dead-letter queue "
            "when a channel reads it"
        ),
        "delivered": "a message put by name on a transmission queue stays there",
    },
)
C14 = Ambiguity(
    "C-14",
    "M",
    {
        "held": (
            "a channel whose other end a loaded queue manager should have and has not is "
            "meant to lead to that one, and messages wait"
        ),
        "external": (
            "a channel whose other end a loaded queue manager should have and has not leads "
            "to a queue manager that is not loaded"
        ),
    },
)
C16 = Ambiguity(
    "C-16",
    "M",
    {
        "local_only": (
            "a message that names the local queue manager is for a queue that this one has, "
            "and cluster queues are looked for where no queue manager is named"
        ),
        "cluster": (
            "a message that names the local queue manager goes to the cluster's queue where "
            "this one has no queue of the name"
        ),
    },
)
C17 = Ambiguity(
    "C-17",
    "M",
    {
        "either": (
            "of several channels to one queue manager any is taken that is left whichever of "
            "NETPRTY and CLWLPRTY counts first"
        ),
        "network_first": (
            "of several channels to one queue manager those of the highest NETPRTY are left "
            "before CLWLPRTY is looked at"
        ),
        "priority_first": (
            "of several channels to one queue manager those of the highest NETPRTY are left "
            "after CLWLPRTY was looked at"
        ),
    },
)
C18 = Ambiguity(
    "C-18",
    "M",
    {
        "either": (
            "a channel that is stopping counts as one that is starting or as one that is stopped"
        ),
        "starting": "a channel that is stopping is chosen like one that is starting",
        "stopped": "a channel that is stopping is chosen like one that is stopped",
    },
)
C19 = Ambiguity(
    "C-19",
    "M",
    {
        "either": (
            "suspended queue managers are left out before or after the states of channels are "
            "looked at"
        ),
        "before_states": (
            "suspended queue managers are left out before the states of channels are looked at"
        ),
        "after_states": (
            "suspended queue managers are left out among those of the best channel state"
        ),
    },
)
M18 = Ambiguity(
    "M-18",
    "L",
    {
        "streamed_on": "a queue that gets a copy itself streams it on to its own streaming queue",
        "not_streamed_on": (
            "a queue that gets a copy itself does not stream it on to its own streaming queue"
        ),
    },
)

AMBIGUITIES = (
    fixed(
        "C-1",
        (
            "the rows hold as product knowledge has them; a live queue manager shows whether "
            "they do (dspmqrte)"
        ),
    ),
    C2,
    C3,
    fixed("C-4", "both rows are stated: ObjectQMgrName blank or named decides (--queue-manager)"),
    fixed(
        "C-5",
        (
            "statistics and channel states choose at run time; answers list all candidates "
            "that are left"
        ),
    ),
    fixed("C-6", "load the files of the members that are missing"),
    fixed("C-7", "it is about what is reported"),
    fixed(
        "C-8",
        "a queue manager without a cluster-receiver channel is not a member of the cluster (M-20)",
    ),
    C9,
    C10,
    C11,
    fixed("C-12", "client channels have a separate name space"),
    C13,
    C14,
    fixed("C-15", "the one candidate that is left takes the message"),
    C16,
    C17,
    C18,
    C19,
    M18,
)
