"""Files of RabbitMQ nodes: Erlang terms, settings, and whose they are."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.facts import rabbitmq as f
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.rabbitmq.erlang_terms import NotTerms, Term, terms
from topograph.importers.rabbitmq.settings_text import settings
from topograph.importers.reading import Options, Reading
from topograph.side_inputs import SideInputs

DEFINITIONS = json.dumps({"exchanges": [], "queues": [], "bindings": [], "vhosts": [{"name": "/"}]})
SHOVEL = """%% a comment
[{rabbit, [{tcp_listeners, [5672]}]},
 {rabbitmq_shovel, [{shovels, [{NAME, [
   {source, [{uris, ["amqp://u:tiger@"]}, {queue, <<"q">>}]},
   {destination, [{uris, ["amqp://u:tiger@far:5673/%2fv"]}, {publish_fields, []}]}]}]}]}].
"""


def imported(**files: str) -> Reading:
    """What an import of some files reads; ``__`` in a name is a folder, ``_`` a dot."""
    data = {
        name.replace("__", "/").replace("_", "."): text.encode() for name, text in files.items()
    }
    planned = plan([recognise(path, text) for path, text in data.items()], SideInputs())
    readings = [
        read_bundle(bundle, {one.path: data[one.path] for one in bundle.files}, Options())
        for bundle in planned.bundles
    ]
    return Reading(
        tuple(fact for one in readings for fact in one.facts),
        (*planned.findings, *(finding for one in readings for finding in one.findings)),
    )


def whose(reading: Reading) -> dict[str, str]:
    """The cluster of each static shovel."""
    return {one.name: one.server for one in reading.facts if isinstance(one, f.RabbitStaticShovel)}


Written = tuple[object, str]


def _quoted(text: str, mark: str) -> str:
    return "".join(f"\\{one}" if one in ("\\", mark) else one for one in text)


plain = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=8)
alone: st.SearchStrategy[Written] = st.one_of(
    st.sampled_from(["a", "aB_c@d", "true"]).map(lambda text: (("atom", text), text)),
    plain.map(lambda text: (("atom", text), f"'{_quoted(text, chr(39))}'")),
    plain.map(lambda text: (("text", text), f'"{_quoted(text, chr(34))}"')),
    plain.map(lambda text: (("binary", text), f'<<"{_quoted(text, chr(34))}"/utf8>>')),
    st.integers(-(10**9), 10**9).map(lambda number: (("number", number), str(number))),
    st.integers(0, 10**6).map(lambda number: (("number", number), f"16#{number:X}")),
)


def _within(inner: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    many = st.lists(inner, max_size=4)
    return st.one_of(
        many.map(lambda all_: _group("list", "[", "]", all_)),
        many.map(lambda all_: _group("tuple", "{", "}", all_)),
    )


def _group(kind: str, begin: str, end: str, all_: list[Written]) -> Written:
    written = " , % c\n".join(text for _, text in all_)
    return (kind, tuple(value for value, _ in all_)), f"{begin} {written}\t{end}"


def _plainly(term: Term) -> object:
    parts = isinstance(term.value, tuple)
    return term.kind, tuple(map(_plainly, term.parts)) if parts else term.value


@given(st.lists(st.recursive(alone, _within, max_leaves=12), max_size=3))
def test_terms_are_read_as_they_were_written(drawn: list[Written]) -> None:
    text = "".join(f"{written}.\n" for _, written in drawn)
    assert [_plainly(one) for one in terms(text)] == [value for value, _ in drawn]


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("[a", 0), ("[a b].", 3), ("[a,].", 3), ("[{a}]", 0), ("X.", 0), ("[a|b].", 2), ("<<", 0),
        ("[" * 100, 64), ("{}}.", 2), ("'a", 0), (".", 0), ("[a=>b].", 2),
    ],
)  # fmt: skip
def test_where_a_text_ends_to_be_terms(text: str, offset: int) -> None:
    with pytest.raises(NotTerms) as error:
        list(terms(text))
    assert error.value.offset == offset


def test_hostile_files_take_linear_time() -> None:
    long = 60_000
    pieces = ("[a,", "'", '"\\', "<<", "%", "1_", "{", "a. ", "$\\", "[]. ", "a=b\n", "\\.", "a.")
    texts = [piece * (long // len(piece)) for piece in pieces]
    texts += [f"[{{rabbit, [{'{a,' * 50}" + text for text in texts[:4]]
    start = time.process_time()
    for text in texts:
        list(settings(text))
        imported(d_json=DEFINITIONS, advanced_config=f"[{{rabbit, {text}", rabbitmq_conf=text)
    assert time.process_time() - start < 20


def test_files_that_are_changed_at_random_do_no_harm() -> None:
    draw = random.Random(5)
    conf = "load_definitions = /a/d.json\ndefault_queue_type = quorum\n"
    for _ in range(150):
        texts = []
        for text in (SHOVEL.replace("NAME", "s"), conf):
            at, to = sorted(draw.randrange(len(text)) for _ in range(2))
            put = draw.choice(("", "{", "]", "<<", "'", "\0", "\ud7ff", text[at:to]))
            texts.append(text[:at] + put + text[draw.choice((at, to)) :])
        kinds = {one.kind for one in imported(d_json=DEFINITIONS, a_config=texts[0],
                                              b_conf=texts[1]).findings}  # fmt: skip
        assert "importer-failed" not in kinds


def test_settings_that_decide_are_facts_and_unknown_ones_are_listed() -> None:
    text = (
        "# load_definitions = no\nload_definitions = /etc/rabbitmq/d.json\ndefault_queue_type = "
        "quorum # c\ndefault_pass = tiger\nlog.file.level = info\nloopback_user.guest = false\n"
        "no setting\nmax_message_size = 5\ndefault_policies.operator.a.expires = 5\n"
    )
    read = imported(d_json=DEFINITIONS, rabbitmq_conf=text)
    found = [one for one in read.facts if isinstance(one, f.RabbitSetting)]
    assert [(one.name, one.value, one.source.line) for one in found] == [
        ("default_queue_type", "quorum", 3)
    ]
    assert sorted((one.kind, one.source.line) for one in read.findings) == [
        ("largest-message", 8), ("setting-not-understood", 6), ("setting-not-understood", 7),
        ("settings-of-new-virtual-hosts", 9),
    ]  # fmt: skip
    assert "tiger" not in repr(read)


def test_definitions_that_are_named_and_not_loaded_are_a_finding() -> None:
    read = imported(d_json=DEFINITIONS, rabbitmq_conf="load_definitions = /etc/other.json\n")
    assert "definitions-not-loaded" in {one.kind for one in read.findings}


def test_static_shovels_are_of_the_cluster_whose_definitions_the_file_beside_loads() -> None:
    read = imported(
        north_json=DEFINITIONS,
        south_json=DEFINITIONS.replace("[]", "[ ]"),
        advanced_config=SHOVEL.replace("NAME", "s"),
        rabbitmq_conf="load_definitions = /etc/rabbitmq/south.json\n",
    )
    assert whose(read) == {"s": "south"}
    assert "tiger" not in repr(read)
    assert {one.kind for one in read.findings} == set()


def test_a_cluster_is_known_by_its_name_by_its_node_and_by_its_folder() -> None:
    of_a, of_b = (
        json.dumps(
            {
                **json.loads(DEFINITIONS),
                "global_parameters": [{"name": "cluster_name", "value": name}],
            }
        )
        for name in ("prod", "rabbit@two")
    )
    read = imported(
        x__a_json=of_a,
        x__b_json=of_b,
        y__rabbitmq_conf="cluster_name = prod\n",
        y__advanced_config=SHOVEL.replace("NAME", "by_name"),
        z__rabbitmq_conf="nodename = rabbit@two\n",
        z__advanced_config=SHOVEL.replace("NAME", "by_node"),
        w__env_conf="NODENAME=rabbit@two\n",
        w__advanced_config=SHOVEL.replace("NAME", "by_environment"),
    )
    assert whose(read) == {
        "by_name": "prod", "by_node": "rabbit@two", "by_environment": "rabbit@two",
    }  # fmt: skip
    alone = imported(x__a_json=DEFINITIONS, x__advanced_config=SHOVEL.replace("NAME", "s"))
    assert whose(alone) == {"s": "a"}
    assert {one.kind for one in alone.findings} == {"owner-assumed"}


def test_static_shovels_of_an_unknown_cluster_leave_those_open_whose_they_may_be(
    tmp_path: Path,
) -> None:
    queue = '"queues": [{"name": "q", "vhost": "/", "arguments": {}}]'
    for name in ("north", "south"):
        text = DEFINITIONS.replace('"queues": []', queue)
        (tmp_path / f"{name}.json").write_text(text + " " * len(name[:1] * (name == "south")))
    before = topograph.read(tmp_path).trace("north", "queue:q")
    assert [str(one) for one in before.outcomes] == ["DELIVERED(queue:q)"]
    (tmp_path / "advanced.config").write_text(SHOVEL.replace("NAME", "s"))
    network = topograph.read(tmp_path)
    assert {one["kind"] for one in network.check().findings} >= {"unclaimed-file"}
    assert [str(one) for one in network.trace("north", "queue:q").outcomes] == ["UNDETERMINED"]


def test_other_files_with_equal_signs_are_none_of_a_node() -> None:
    for text in (
        "[server]\ndefault_user = a\nport = 1\nhost = 2\n", "a = b\n", "heartbeat = 5\n",
        "log.level = info\nname = x\n", "[{kernel, []}].", "server {\n listen 80;\n}\n",
    ):  # fmt: skip
        assert recognise("a.conf", text.encode()).role.system != "rabbitmq", text
