"""Showing less of the same estate never turns what an audit claims into a different certain claim:
a change that is refused, or that separates servers, is never accepted because a file is not there.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from drawn.all_systems import drawn

from certainty.audits import AuditClaims, audited, denied
from certainty.test_showing_less import ESTATES, parts, read

AUDITED = ("ems", "ibm_mq", "sibus", "amq_interconnect")
"""The systems whose drawn estates have changes."""


@pytest.mark.slow
@pytest.mark.parametrize("number", range(ESTATES // 2))
@pytest.mark.parametrize("system", AUDITED)
def test_what_an_audit_claims_of_a_part_is_so_in_the_whole(
    system: str, number: int, tmp_path: Path
) -> None:
    claims_no_more(system, number, tmp_path)


@pytest.mark.slow
def test_of_a_command_that_nobody_can_judge_an_audit_claims_nothing(tmp_path: Path) -> None:
    """A change of a bus of which the part has no file, beyond the estates of the suite."""
    claims_no_more("sibus", 203, tmp_path)


def claims_no_more(system: str, number: int, tmp_path: Path) -> None:
    """Fails where an audit of a part of an estate claims for certain what the whole denies."""
    estate = drawn(system, "one", number)
    asked = audited(estate)
    network = read(tmp_path / "whole", estate.files)
    whole = AuditClaims(network, network.server_names(), asked)
    at = random.Random(f"{system} {number}")
    found = {}
    for title, part, names, gone in parts(tmp_path, estate, network, at):
        if wrong := denied(whole, AuditClaims(part, names, asked), gone):
            found[title] = wrong
    assert found == {}


@pytest.mark.parametrize("system", AUDITED)
def test_most_of_what_audits_say_of_whole_estates_is_certain(system: str, tmp_path: Path) -> None:
    """Else "undetermined" everywhere would be right everywhere."""
    open_, all_ = 0, 0
    for number in range(8):
        estate = drawn(system, "one", number)
        network = read(tmp_path / str(number), estate.files)
        claims = AuditClaims(network, network.server_names(), audited(estate))
        open_ += claims.unknown
        all_ += len(claims.said)
    assert open_ < all_ / 3, f"{open_} of {all_} are open"
