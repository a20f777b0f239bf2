"""Which systems a question is about: those that offer what it asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from topograph import extensions
from topograph.questions.question import Question
from topograph.systems.contract.system import System
from topograph.systems.registry import system

_NEEDS: Mapping[str, Callable[[System], bool]] = {
    "interests": lambda offered: offered.capabilities.names is not None,
    "impact": lambda offered: offered.capabilities.judges_failures or offered.stepping is not None,
    "services": lambda offered: offered.capabilities.serves,
    "audit": lambda offered: extensions.optional_module(offered.name, "changes") is not None,
}
"""What a system must offer to be asked a question; any system is asked the others."""


def offers(offered: System, question: Question) -> bool:
    """Whether a system offers what a question asks for."""
    needed = _NEEDS.get(question.name)
    return needed is None or needed(offered)


def systems_asked(question: Question) -> tuple[str, ...]:
    """Topograph's own systems that a question is about, by name."""
    return tuple(name for name in extensions.OWN if offers(system(name), question))
