"""Message selectors: JMS grammar and three-valued evaluation (ems.md 3.8). May import the vocabulary only.

``parse(text)`` gives an expression, ``expression.evaluate(properties)`` gives TRUE, FALSE or UNKNOWN.
"""
