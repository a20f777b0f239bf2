"""Each error and warning of every system says what it is about, and what it does to messages."""

from __future__ import annotations

from importlib import import_module

import pytest

from topograph.findings import Severity
from topograph.rules import Rule, unnumbered
from topograph.systems.contract.lint import lints

SHARED = {id(one) for one in vars(unnumbered).values()}
"""Kinds of findings of all systems, about files and not about messages."""


@pytest.mark.parametrize("system", ["ems", "ibm_mq", "sibus", "mqe", "amq_interconnect"])
def test_every_error_and_warning_says_what_it_does_to_messages(system: str) -> None:
    import_module(f"topograph.systems.{system}")
    records = vars(import_module(f"topograph.rules.{system}_findings")).values()
    rules = [one for one in records if isinstance(one, Rule)]
    rules += [one.rule for one in lints(f"topograph.systems.{system}.lint")]
    assert rules
    assert not {
        kind.kind
        for rule in rules
        for kind in rule.kinds
        if id(kind) not in SHARED
        and kind.severity in (Severity.ERROR, Severity.WARNING)
        and (kind.bearing is None or kind.about is None)
    }
