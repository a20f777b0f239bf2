"""Every question, one record each, in the order in which a newcomer meets them. A new question
is one more record in ``QUESTIONS``.
"""

from topograph.questions.records.changes import AUDIT, IMPACT
from topograph.questions.records.configuration import CHECK, SHOW
from topograph.questions.records.interests import INTERESTS, LISTED
from topograph.questions.records.messages import PROPAGATE, TRACE
from topograph.questions.records.routes import CYCLES, HOPS, PATHS, REACH

QUESTIONS = (REACH, HOPS, PATHS, CYCLES, INTERESTS, PROPAGATE, TRACE, IMPACT, AUDIT, CHECK, SHOW)

__all__ = [
    "AUDIT",
    "CHECK",
    "CYCLES",
    "HOPS",
    "IMPACT",
    "INTERESTS",
    "LISTED",
    "PATHS",
    "PROPAGATE",
    "QUESTIONS",
    "REACH",
    "SHOW",
    "TRACE",
]
