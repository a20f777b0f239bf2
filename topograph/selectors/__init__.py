"""Message selectors: JMS grammar and three-valued evaluation (ems.md 3.8, R69). May import the
vocabulary only.

``parse(text)`` gives a ``Selector``; ``selector.evaluate(properties)`` gives TRUE, FALSE or UNKNOWN
for a whole message, ``selector.judge(properties)`` what is certain of a message of which a question
sets a part. Start at ``selector``; the language is in ``grammar.lark``, what it means in
``expressions`` and ``values`` (whose docstring lists the positions where JMS is silent).
"""

from topograph.selectors.selector import Judgement, Selector, parse

__all__ = ["Judgement", "Selector", "parse"]
