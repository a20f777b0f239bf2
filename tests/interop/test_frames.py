"""Answers as data frames: one row an entry, and the same columns however many there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import topograph
from topograph.network import Network
from topograph.questions.answers import Answer

EXAMPLES = Path(__file__).parents[2] / "examples"
READ: dict[str, Network] = {}


def example(name: str) -> Network:
    if name not in READ:
        READ[name] = topograph.read(EXAMPLES / name)
    return READ[name]


Asked = Callable[[Network], Answer]

ENTRY_COLUMNS: dict[str, tuple[Asked, Asked, list[str]]] = {
    "reach": (
        lambda n: n.reach("A"),
        lambda n: n.reach("A", "A"),
        ["server", "hops", "zone_hops", "path", "steps", "cost"],
    ),
    "paths": (
        lambda n: n.paths("A", "D"),
        lambda n: n.paths("A", "A"),
        ["servers", "route_hops", "zone_hops", "steps", "cost"],
    ),
    "cycles": (
        lambda n: n.cycles(),
        lambda _: example("orders").cycles(),
        ["server", "name", "via", "paths", "routes"],
    ),
    "interests": (
        lambda n: n.interests(),
        lambda _: example("estate").interests("VAULT"),
        ["server", "name", "via", "hops"],
    ),
    "propagate": (
        lambda _: example("orders").propagate("HUB", "topic:orders", {"country": "Canada"}),
        lambda _: example("orders").propagate(
            "HUB", "topic:nobody", subscribers=["HUB:topic:other"]
        ),
        ["server", "destination", "outcome", "hops", "path", "copies", "subscriber", "steps"],
    ),
    "check": (
        lambda n: n.check(),
        lambda n: n.check(),
        ["severity", "rule", "kind", "message", "server", "source", "excerpt"],
    ),
}


@pytest.mark.parametrize("question", ENTRY_COLUMNS)
def test_a_frame_has_a_row_an_entry_and_the_columns_of_an_entry(question: str) -> None:
    some, none, columns = ENTRY_COLUMNS[question]
    for asked in (some, none):
        answer = asked(example("mhop-star/with-b-d"))
        frame = answer.to_frame()
        listed = answer.to_dict()[answer.rows_field]
        count = sum(map(len, listed.values())) if isinstance(listed, dict) else len(listed)
        # Fields may be added to an entry, never renamed.
        assert list(frame.columns)[: len(columns)] == columns
        assert len(frame) == count
    filled, empty = (asked(example("mhop-star/with-b-d")).to_frame() for asked in (some, none))
    assert len(filled) > 0
    assert list(filled.columns) == list(empty.columns)


def test_rows_hold_the_values_of_the_json_form() -> None:
    answer = example("orders").reach("USA")
    assert answer.to_frame().to_dict("records") == answer.to_dict()["servers"]
    assert answer.to_frame().set_index("server").loc["Mexico", "path"] == ["USA", "HUB", "Mexico"]


def test_hops_are_one_row_with_the_counts() -> None:
    (row,) = example("orders").hops("USA", "Mexico").to_frame().to_dict("records")
    assert row == {
        "from": "USA",
        "to": "Mexico",
        "reachable": True,
        "route_hops": 2,
        "zone_hops": [{"zone": "SALES", "hops": 2}],
        "cost": None,
        "later": False,
    }


def test_a_matrix_has_a_row_and_a_column_a_server_and_keeps_whole_numbers_beside_gaps() -> None:
    frame = example("estate").hops_matrix().to_frame()
    names = list(example("estate").server_names())
    assert list(frame.index) == list(frame.columns) == names
    assert {str(kind) for kind in frame.dtypes} == {"Int64"}
    assert frame.loc["CANADA", "CANADA"] == 0
    assert frame.isna().to_numpy().any()


def test_the_head_of_a_matrix_without_rows_is_an_empty_frame() -> None:
    frame = example("orders").hops_head().to_frame()
    assert frame.empty
    assert list(frame.columns) == list(example("orders").server_names())


@pytest.mark.parametrize(
    "what",
    [
        "servers",
        "routes",
        "zones",
        "destinations",
        "interests",
        "selectors",
        "access",
        "findings",
        "files",
    ],
)
@pytest.mark.parametrize("name", ["estate", "routers"])
def test_what_is_shown_keeps_its_columns_in_reading_order(name: str, what: str) -> None:
    if (name, what) == ("routers", "interests"):
        with pytest.raises(topograph.errors.NotApplicable):
            example(name).show(what)
        return
    answer = example(name).show(what)
    frame = answer.to_frame()
    assert list(frame.columns) == list(answer.columns)
    assert len(frame) == len(answer.rows)


def test_a_notebook_shows_the_sentence_the_table_and_what_the_answer_rests_on() -> None:
    html = example("routers").reach("LON")._repr_html_()
    assert html.startswith("<p><b>LON reaches 5 of 5 other routers.</b></p><table>")
    assert "<td>LON → PAR → FRA</td><td>14</td>" in html
    assert "<li>assumed (T-13): fra.mesh.example.net is FRA" in html


def test_names_in_a_notebook_stay_text(tmp_path: Path) -> None:
    name = "</td><script>alert(1)</script>"
    (tmp_path / "tibemsd.conf").write_text(f"server = {name}\nrouting = enabled\n")
    html = topograph.read(tmp_path).show("servers")._repr_html_()
    assert "<script" not in html
    assert "&lt;/td&gt;&lt;script&gt;" in html


def test_a_long_answer_is_cut_in_a_notebook_and_says_so(tmp_path: Path) -> None:
    routes = "".join(
        f"[S{n:03}]\nurl=tcp://s{n}:7222\nzone_name=Z\nzone_type=mhop\n" for n in range(60)
    )
    (tmp_path / "tibemsd.conf").write_text(
        "server = HUB\nrouting = enabled\nroutes = routes.conf\n"
    )
    (tmp_path / "routes.conf").write_text(routes)
    html = topograph.read(tmp_path).show("routes")._repr_html_()
    assert html.count("<tr>") == 41
    assert "20 more; to_frame() has them all." in html
    assert topograph.read(tmp_path).hops_matrix()._repr_html_().count("<tr>") == 41
