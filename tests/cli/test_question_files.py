"""Files that questions take: messages, observed names."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from topograph.cli.main import exit_code
from topograph.cli.question_files import MessageFile, read_clients, read_message, read_observed
from topograph.errors import InputError
from topograph.message import ALWAYS, OPTIONS, Address, Message
from topograph.questions.records.messages import PROPAGATE, TRACE


def written(folder: Path, content: str | bytes) -> str:
    path = folder / "file.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def test_a_message_file_gives_properties_the_types_of_a_selector(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        (
            '{"destination": "topic:orders", "user": "bob", "properties": {"a": "x", "b": '
            'true, "c": 7, "d": 7.0, "e": 1e3}}'
        ),
    )
    assert read_message(path) == MessageFile(
        "topic:orders", {"a": "x", "b": True, "c": 7, "d": 7.0, "e": 1000.0}, "bob"
    )
    assert [type(value) for value in read_message(path).properties.values()] == [
        str,
        bool,
        int,
        float,
        float,
    ]


def test_a_message_may_state_types_as_answers_echo_them(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"properties": {"a": {"type": "double", "value": 7}, "b": {"type": "string", '
        '"value": "7"}, "c": null, '
        '"d": {"type": "null", "value": null}}}',
    )
    properties = read_message(path).properties
    assert properties == {"a": 7.0, "b": "7", "c": None, "d": None}
    assert isinstance(properties["a"], float)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ":1:1: this is not JSON: Expecting value."),
        ("{", ":1:2: this is not JSON: Expecting property name enclosed in double quotes."),
        ("[]", ": the message: [] is not of type 'object'"),
        ('{"topics": "orders"}', "'topics' was unexpected"),
        ('{"destination": 7}', ": destination: 7 is not of type 'string'"),
        ('{"properties": {"a": [1]}}', ": properties.a: [1] is not"),
        ('{"properties": {"a": {"type": "long", "value": "7"}}}', ": properties.a"),
        (
            '{"properties": {"a": 9223372036854775808}}',
            "properties.a: 9223372036854775808 does not fit a 64-bit integer",
        ),
        ('{"properties": {"a": NaN}}', ": NaN is not a JSON number."),
        ('{"properties": {"a": 1, "a": 2}}', ": the key 'a' occurs twice in one object."),
        (b"\xff\xfe", " is not UTF-8 text (byte 0)."),
        ("[" * 100_000, " is nested too deeply."),
    ],
)
def test_a_faulty_message_file_is_one_message_with_its_place(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError) as raised:
        read_message(path)
    assert str(raised.value).startswith(path)
    assert message in str(raised.value)


def test_the_message_schema_is_a_schema() -> None:
    schema = json.loads(
        resources.files("topograph.cli").joinpath("message.schema.json").read_text("utf-8")
    )
    jsonschema.Draft202012Validator.check_schema(schema)


def test_observed_names_are_read_with_and_without_their_neighbour(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        (
            '{"A": ["$TMP$.B.>"], "B": [{"name": "$TMP$.A.>", "via": "A"}, {"name": '
            '"$TMP$.C.>"}], "C": []}'
        ),
    )
    assert read_observed(path) == {
        "A": [("$TMP$.B.>", "")],
        "B": [("$TMP$.A.>", "A"), ("$TMP$.C.>", "")],
        "C": [],
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "the file: expected an object with a list for each server."),
        ('{"A": "x"}', 'A: expected a list of names, such as ["$TMP$.A.>"].'),
        ('{"A": ["x", 7]}', 'A[1]: expected a name, or {"name": ..., "via": ...}.'),
        ('{"A": [{"via": "B"}]}', "A[0]: expected a name"),
        ('{"A": [{"name": "x", "hops": 1}]}', "A[0]: expected a name"),
    ],
)
def test_a_faulty_file_of_observed_names_is_one_message_with_its_place(
    tmp_path: Path, content: str, message: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError) as raised:
        read_observed(path)
    assert message in str(raised.value)
    assert str(raised.value).startswith(f"{path}: ")


def test_a_row_of_the_clients_file_that_does_not_fit_is_refused_with_its_line(
    tmp_path: Path,
) -> None:
    """A client left out would change the answer."""
    path = tmp_path / "clients.csv"
    path.write_text("server,destination,selector\nA,topic:orders,\nB,topic:stock,qty > 5\n")
    assert [
        (client.server, client.destination, client.selector) for client in read_clients(str(path))
    ] == [
        ("A", "topic:orders", ""),
        ("B", "topic:stock", "qty > 5"),
    ]
    path.write_text("server,destination\nA,topic:orders\n,topic:stock\n")
    with pytest.raises(InputError, match=r"clients\.csv:3"):
        read_clients(str(path))


def test_a_folder_in_place_of_a_file_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_message(str(tmp_path))


def test_options_of_a_message_file_come_back_as_they_are_echoed(tmp_path):
    """What an answer echoes of a message is a message file that says the same."""
    sent = Message.to(
        "A@B",
        {"qty": 7},
        user="u",
        queue_manager="",
        forward_path=(Address("B", "A"), Address("", "C")),
        reverse_path=(Address("B", "R"),),
        reply_to="R",
        reply_to_queue_manager="QM",
        reliability="ASSURED_PERSISTENT",
        persistent=False,
        mode="engine",
        topic="t/x",
        rollbacks=ALWAYS,
        via_engine="m1",
        routing_key="a.b",
        expiration="60",
        home_servers="triggered",
        arrives_over="TO.B",
        header="A@B",
        count=4,
    )
    path = tmp_path / "message.json"
    path.write_text(json.dumps(sent.to_dict()))
    file = read_message(str(path))
    assert set(sent.options()) == set(OPTIONS) - {"anonymous"}
    assert Message.to(file.destination, file.properties, user=file.user, **file.options) == sent


def test_options_on_the_command_line_are_those_of_the_message():
    """Each option of ``topograph.message.OPTIONS`` is one of ``propagate`` and of ``trace``,
    under its field's name.
    """
    for question in (PROPAGATE, TRACE):
        declared = {parameter.name: parameter.option for parameter in question.parameters}
        assert {name: declared.get(name) for name in OPTIONS} == dict(OPTIONS)
        assert declared["nonpersistent"] == "--nonpersistent"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--persistent", "--nonpersistent"], "exclude each other"),
        (["--rollbacks", "-1"], "--rollbacks takes a number from 0 up, or always"),
        (["--count", "many"], "--count takes a number of messages, not 'many'."),
        (["--count", "0"], "--count is a number from 1 to 1,000, not 0."),
        (["--count", "2"], "--count has no meaning for TIBCO EMS, which HQ runs."),
        (["--rrp", "B:"], "--rrp takes BUS:DESTINATION"),
        (["--queue-manager", "QM"], "--queue-manager has no meaning for TIBCO EMS, which HQ runs."),
        (["--frp", ""], "--frp has no meaning for TIBCO EMS"),
        (["--rollbacks", "0"], "--rollbacks has no meaning for TIBCO EMS"),
        (["--nonpersistent"], "--persistent has no meaning for TIBCO EMS"),
    ],
)
def test_options_that_are_wrong_or_say_nothing_to_the_system_are_refused(words, said, capsys):
    asked = ["trace", "HQ", "--destination", "topic:orders", "-s", "examples/estate", *words]
    assert exit_code(asked) == 2
    assert said in capsys.readouterr().err
