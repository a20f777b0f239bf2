"""A picture in a notebook: a pyvis network to go on with, written as our own page."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import pytest
from drawn.networks import ROOT, estate_of, example, route
from pyvis.network import Network as PyvisNetwork

from topograph.findings import Source
from topograph.forwarding.reached import LinkShown
from topograph.viz.page import page_of
from topograph.viz.scene.picture import draw
from topograph.viz.view import View


def test_a_view_is_a_pyvis_network_with_a_node_a_server_and_an_edge_a_link():
    network = example("estate")
    view = network.view(network.reach("CANADA", "MADRID"))
    assert isinstance(view, PyvisNetwork)
    assert [node["id"] for node in view.nodes] == [server.name for server in view.scene.servers]
    assert [edge["id"] for edge in view.edges] == [link.id for link in view.scene.links]
    assert (view.num_nodes(), view.num_edges()) == (13, 15)
    assert view.get_node("MADRID") == {
        "id": "MADRID",
        "label": "MADRID",
        "title": "MADRID\nreached in 3 hops (REGIONS 2, EUROPE 1)\nmadrid/tibemsd.conf:3:28",
        **{
            axis: getattr(server, axis)
            for server in view.scene.servers
            if server.name == "MADRID"
            for axis in "xy"
        },
    }
    assert view.options.physics.enabled is False


def test_parallel_links_stay():
    links = [LinkShown(("A", "B"), "", "", "A", cost, Source("A.conf", cost)) for cost in (1, 2)]
    view = View(draw(estate_of("AB", links)))
    view.add_edge("A", "B", color="red")
    view.add_edge("B", "A")
    assert len(view.edges) == 4


def test_a_node_that_is_there_stays_as_it_is():
    view = View(draw(estate_of("AB", [route("A", "B")])))
    view.add_node("A", color="red")
    assert "color" not in view.get_node("A")
    view.add_nodes(["X", "Y"], color=["red", "blue"])
    assert (view.get_node("X")["color"], view.num_nodes()) == ("red", 4)
    assert view.get_adj_list() == {"A": {"B"}, "B": {"A"}, "X": set(), "Y": set()}


def test_an_edge_needs_its_nodes():
    view = View(draw(estate_of("AB", [route("A", "B")])))
    with pytest.raises(ValueError, match="There is no node 'C': add it first"):
        view.add_edge("A", "C")


def test_what_a_user_adds_or_changes_reaches_the_page():
    view = View(draw(estate_of("AB", [route("A", "B")])))
    plain = view.generate_html()
    view.add_node("my own", color="#123456")
    view.add_edge("my own", "A", dashes=True)
    view.get_node("B")["color"] = "#abcdef"
    changed = view.generate_html()
    for word in ("my own", "#123456", "#abcdef"):
        assert word in changed
        assert word not in plain


def test_equal_answers_give_equal_pages():
    network = example("estate")
    pages = {network.view(network.reach("HQ")).generate_html() for _ in range(2)}
    assert len(pages) == 1


@pytest.mark.parametrize("write", ["write_html", "save_graph"])
def test_writing_a_page_writes_nothing_beside_it(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    view = example("estate").view()
    getattr(view, write)("picture.html")
    assert [path.name for path in tmp_path.iterdir()] == ["picture.html"]
    assert (tmp_path / "picture.html").read_text(encoding="utf-8") == view.generate_html()


def test_show_in_a_notebook_writes_the_page_and_gives_the_view_back(tmp_path):
    view = example("estate").view()
    assert view.show(tmp_path / "picture.html") is view
    assert (tmp_path / "picture.html").exists()


class Frame(HTMLParser):
    """The attributes of the only element of a notebook's output."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_a_notebook_shows_the_page_in_a_frame_of_its_own():
    view = View(draw(estate_of(["</iframe><script>alert(1)</script>", "B"], [])))
    ((tag, attributes),) = Frame(view._repr_html_()).found
    assert (tag, attributes["sandbox"]) == ("iframe", "allow-scripts allow-downloads")
    assert attributes["srcdoc"] == view.generate_html()


def test_a_name_that_is_no_text_is_written_all_the_same(tmp_path):
    view = View(draw(estate_of(["odd \udcff", "B"], [])))
    view.write_html(tmp_path / "picture.html")
    assert "odd \\udcff" in (tmp_path / "picture.html").read_text(encoding="utf-8")


def test_questions_do_without_pyvis():
    program = (
        "import sys, topograph\n"
        f"network = topograph.read({str(ROOT / 'examples' / 'orders')!r})\n"
        "network.reach('HUB')\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('pyvis', "
        "'jinja2', 'IPython') or 'topograph.viz' in name])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[]\n"


def test_a_page_without_pyvis_is_the_page_of_the_view():
    scene = draw(estate_of("ABC", [route("A", "B"), route("B", "C")]))

    assert page_of(scene) == View(scene).generate_html()
