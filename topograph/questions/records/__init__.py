"""Every question, one record each, a module for each kind of question. A new question is one more
record in ``QUESTIONS`` of a module.
"""

from topograph.questions.records import (
    changes,
    configuration,
    interests,
    messages,
    routes,
    services,
)

QUESTIONS = (
    *routes.QUESTIONS,
    *interests.QUESTIONS,
    *messages.QUESTIONS,
    *services.QUESTIONS,
    *changes.QUESTIONS,
    *configuration.QUESTIONS,
)
"""In the order in which a newcomer meets them."""
