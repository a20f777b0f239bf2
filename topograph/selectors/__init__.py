"""Message selectors: JMS grammar and three-valued evaluation (ems.md 3.8, R69). May import the vocabulary only.

``parse(text)`` gives a ``Selector``; ``selector.evaluate(properties)`` gives TRUE, FALSE or UNKNOWN. Start at ``selector``; the language is
in ``grammar.lark``, what it means in ``expressions`` and ``values`` (whose docstring lists the positions where JMS is silent).
"""

from topograph.selectors.selector import Selector, parse

__all__ = ["Selector", "parse"]
