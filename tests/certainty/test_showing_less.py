"""Showing less of the same estate never turns a claim into a different certain one.

An estate is drawn and read whole, then with less of it: without the files of a server that the
others name, without a file that a main file names, with a file that ends in its middle, or with
less of what servers listed (``listings``). What is
then still certain is what is so in the whole; what cannot be seen is left open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN, drawn
from draws import draws, share

import topograph
from certainty.claims import OPEN, Claims, contradictions, messages
from certainty.views import views
from topograph.network import Network

pytestmark = pytest.mark.slow

ESTATES = draws(12)
"""How many estates of each system are drawn; each gives up to three partial views."""


def unread(whole: Network, part: Network) -> tuple[str, ...]:
    """The servers of which a part has nothing: a file that nothing can be read of leaves its server
    out, as one that is not there.
    """
    loaded = [
        {str(row["server"]) for row in network.show("servers").rows if row["loaded"]}
        for network in (whole, part)
    ]
    return tuple(sorted(loaded[0] - loaded[1]))


def read(folder: Path, files: Mapping[str, str]) -> Network:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return topograph.read(folder).within(None)


def parts(
    folder: Path, estate: Any, whole: Network, at: random.Random
) -> Iterator[tuple[str, Network, list[str], tuple[str, ...]]]:
    """Partial views of an estate that are read: title, network, the servers that it shows, and
    those that it leaves out."""
    for place, view in enumerate(views(estate.files, list(estate.servers), at)):
        part = read(folder / str(place), view.files)
        gone = (*view.gone, *unread(whole, part))
        yield view.title, part, [name for name in part.server_names() if name not in gone], gone


@pytest.mark.parametrize("number", share(range(ESTATES), 2))
@pytest.mark.parametrize("system", DRAWN)
def test_what_is_certain_in_a_part_is_so_in_the_whole(
    system: str, number: int, tmp_path: Path
) -> None:
    certain_in_the_whole(system, number, tmp_path)


DENIED = {
    "ems": (136, 343, 383, 503, 508, 581, 593),
    "ibm_mq": (241,),
    "sibus": (489, 570),
}
"""Estates beyond the suite whose parts claimed what the whole denies: nobody else subscribes where
clients are declared, what a durables.conf that was not found may hold, which routes are suspended
that a list does not show, what members of a cluster that no file names define for it, and where a
destination may lead that no file shows or of which only the name is shown, as the messages
of another bus find it too."""


@pytest.mark.parametrize(
    ("system", "number"), [(one, number) for one, numbers in DENIED.items() for number in numbers]
)
def test_parts_that_claimed_what_the_whole_denies(system: str, number: int, tmp_path: Path) -> None:
    certain_in_the_whole(system, number, tmp_path)


NO_PARTS = {"amq_interconnect": (199,), "ems": (221, 375, 414, 580, 597), "mqe": (534,)}
"""Estates of which a view was taken for a part: one of tables that disagree, one without the list
that alone says of a route that it is suspended, output without the router it is of, and a file that
is whole though it has no last line end; or of which an end of a receiver that is assumed was taken
for a certain one."""


@pytest.mark.parametrize(
    ("system", "number"), [(one, number) for one, numbers in NO_PARTS.items() for number in numbers]
)
def test_views_that_show_something_else_are_no_parts(
    system: str, number: int, tmp_path: Path
) -> None:
    certain_in_the_whole(system, number, tmp_path)


def certain_in_the_whole(system: str, number: int, tmp_path: Path) -> None:
    """Fails where a part of an estate claims for certain what the whole denies."""
    estate = drawn(system, "one", number)
    sent = messages(estate)
    network = read(tmp_path / "whole", estate.files)
    whole = Claims(network, network.server_names(), sent)
    at = random.Random(f"{system} {number}")
    found = {}
    for title, part, names, gone in parts(tmp_path, estate, network, at):
        if wrong := contradictions(whole, Claims(part, names, sent), gone):
            found[title] = wrong
    assert found == {}


@pytest.mark.parametrize("system", DRAWN)
def test_most_of_what_is_shown_whole_is_certain(system: str, tmp_path: Path) -> None:
    """Else "unknown" everywhere would be right everywhere."""
    open_, all_ = 0, 0
    for number in range(8):
        estate = drawn(system, "one", number)
        network = read(tmp_path / str(number), estate.files)
        said = Claims(network, network.server_names(), messages(estate)).said
        open_ += sum(one == OPEN for one in said.values())
        all_ += len(said)
    assert open_ < all_ / 2, f"{open_} of {all_} are open"
