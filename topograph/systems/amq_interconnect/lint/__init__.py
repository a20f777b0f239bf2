"""The lint rules of routers with a number of their own: a module a rule, with its record. There are
none so far: what ``checks`` find rests on rules of the specification (5.2).
"""
