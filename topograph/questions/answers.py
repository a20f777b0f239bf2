"""The answers: frozen records whose fields are the JSON contract (DESIGN section 4.2).

``to_dict`` gives exactly the JSON form: a trailing ``_`` of a field name is dropped (``from_`` is
``from``), enums are their text, tuples are lists. Fields may be added, never renamed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from topograph.assumptions import Assumption
from topograph.questions.answer import (
    Answer,
    Caution,
    DecidedIf,
    NeededRoute,
    NeededRoutes,
    Step,
    Stopped,
    Undetermined,
    ZoneHops,
    labels,
    plain,
)

if TYPE_CHECKING:
    from topograph.questions.audit_answers import (
        AuditAnswer,
        AuditBefore,
        AuditState,
        AuditStep,
        DeliveriesChanged,
        DeliveryMoved,
        EntryMoved,
        HopsChanged,
        HopsMoved,
        LinkMoved,
        LinksChanged,
        PolicyEvidence,
        PolicyResult,
        ReachChanged,
        Rejection,
        ServerMoved,
        ServersChanged,
    )
    from topograph.questions.impact_answers import (
        ContainerLost,
        FailureCounted,
        Gap,
        ImpactAnswer,
        Interruption,
        Lost,
        OutcomeChanged,
        Rerouted,
        Retained,
    )
    from topograph.questions.listing_answers import CheckAnswer, CheckGroup, ShowAnswer
    from topograph.questions.name_answers import (
        CyclesAnswer,
        Duplicate,
        InterestDifference,
        InterestEntry,
        InterestsAnswer,
        RedundantPaths,
        Ring,
        RingRoute,
    )
    from topograph.questions.path_answers import (
        HopsAnswer,
        HopsMatrixAnswer,
        PathFound,
        PathsAnswer,
        ReachAnswer,
        ReachedServer,
    )
    from topograph.questions.propagate_answers import (
        Alternative,
        Decision,
        DeliveredTo,
        Delivery,
        PropagateAnswer,
    )
    from topograph.questions.trace_answers import (
        Sender,
        TraceAnswer,
        TraceBranch,
        TraceReply,
        TraceStep,
    )

FURTHER = {
    "path_answers": (
        "ReachedServer",
        "ReachAnswer",
        "HopsAnswer",
        "HopsMatrixAnswer",
        "PathFound",
        "PathsAnswer",
    ),
    "name_answers": (
        "Duplicate",
        "RedundantPaths",
        "RingRoute",
        "Ring",
        "CyclesAnswer",
        "InterestEntry",
        "InterestDifference",
        "InterestListed",
        "InterestNotListed",
        "InterestsAnswer",
    ),
    "propagate_answers": (
        "Decision",
        "DeliveredTo",
        "Delivery",
        "Alternative",
        "PropagateAnswer",
    ),
    "trace_answers": (
        "Sender",
        "ServerMoved",
        "ServersChanged",
        "TraceStep",
        "TraceBranch",
        "TraceReply",
        "TraceAnswer",
    ),
    "impact_answers": (
        "Lost",
        "OutcomeChanged",
        "Rerouted",
        "ContainerLost",
        "CopyAlong",
        "CopyAlong",
        "Interruption",
        "Gap",
        "Retained",
        "FailureCounted",
        "ImpactAnswer",
    ),
    "audit_answers": (
        "AuditAnswer",
        "AuditBefore",
        "AuditState",
        "AuditStep",
        "Rejection",
        "ReachChanged",
        "HopsMoved",
        "HopsChanged",
        "DeliveryMoved",
        "EntryMoved",
        "DeliveriesChanged",
        "LinkMoved",
        "LinksChanged",
        "ServerMoved",
        "ServersChanged",
        "PolicyEvidence",
        "PolicyResult",
    ),
    "listing_answers": (
        "CheckGroup",
        "CheckAnswer",
        "ShowAnswer",
    ),
}
"""The modules beside this one, and the answers that each holds. They are names of this module
too.
"""

_MODULE_OF = {name: module for module, names in FURTHER.items() for name in names}


def __getattr__(name: str) -> Any:
    """An answer out of its module, which is loaded now: making all these records takes as long
    as answering a question.
    """
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(
        import_module(f"topograph.questions.{_MODULE_OF[name]}"), name
    )
    return found


__all__ = [
    "FURTHER",
    "Alternative",
    "Answer",
    "Assumption",
    "AuditAnswer",
    "AuditBefore",
    "AuditState",
    "AuditStep",
    "Caution",
    "CheckAnswer",
    "CheckGroup",
    "ContainerLost",
    "CyclesAnswer",
    "DecidedIf",
    "Decision",
    "DeliveredTo",
    "DeliveriesChanged",
    "Delivery",
    "DeliveryMoved",
    "Duplicate",
    "EntryMoved",
    "FailureCounted",
    "Gap",
    "HopsAnswer",
    "HopsChanged",
    "HopsMatrixAnswer",
    "HopsMoved",
    "ImpactAnswer",
    "InterestDifference",
    "InterestEntry",
    "InterestsAnswer",
    "Interruption",
    "LinkMoved",
    "LinksChanged",
    "Lost",
    "NeededRoute",
    "NeededRoutes",
    "OutcomeChanged",
    "PathFound",
    "PathsAnswer",
    "PolicyEvidence",
    "PolicyResult",
    "PropagateAnswer",
    "ReachAnswer",
    "ReachChanged",
    "ReachedServer",
    "RedundantPaths",
    "Rejection",
    "Rerouted",
    "Retained",
    "Ring",
    "RingRoute",
    "Sender",
    "ServerMoved",
    "ServersChanged",
    "ShowAnswer",
    "Step",
    "Stopped",
    "TraceAnswer",
    "TraceBranch",
    "TraceReply",
    "TraceStep",
    "Undetermined",
    "ZoneHops",
    "labels",
    "plain",
]
