"""The lint rules of buses (outcomes.md 4.1) that are found by one check each: a module a rule, with
its record. Those about one path or one exception destination together are in ``checks``.
"""
