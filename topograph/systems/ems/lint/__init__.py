"""The lint rules of EMS that are found by one check each: a module a rule, with its record.

Rules that an importer finds, or several checks, have their records in ``topograph.rules``, and
``checks.lint`` finds what is left of them. May import every other room of EMS but ``checks``,
``changes`` and ``portable``.
"""
