"""What fields hold is declared for every one of them, so that a new field cannot be forgotten."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from redaction.asked import asked
from redaction.planted import Planted

from topograph import extensions, network
from topograph.errors import UsageError
from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity
from topograph.facts.rows import kinds_of
from topograph.findings import Source
from topograph.importers.amq_interconnect import holds as amq_interconnect
from topograph.importers.amq_interconnect.schema import TYPES
from topograph.importers.declarations import RECORDS, check_declared, fields_of, setting
from topograph.importers.ems import holds as ems
from topograph.importers.ems.parameters import KNOWN
from topograph.importers.holds import Holds

OWN_KINDS = [kind for system in extensions.OWN for kind in kinds_of(system).values()]


@pytest.mark.parametrize("kind", [*OWN_KINDS, *RECORDS, *ems.FIELDS, *amq_interconnect.FIELDS])
def test_every_field_of_every_record_is_declared_and_no_other(kind: type) -> None:
    fields = {field.name for field in dataclasses.fields(kind)}
    assert set(fields_of(kind)) == fields


def test_every_attribute_of_the_routers_schema_is_declared() -> None:
    undeclared = [
        (entity.name, attribute)
        for entity in TYPES.values()
        for attribute in entity.attributes or ()
        if setting(_entity(entity.name), attribute) is None
    ]
    assert undeclared == []


def test_what_the_rules_of_routers_read_is_declared_and_not_hidden(
    estate: tuple[Path, Planted], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen while the planted estate is compiled and asked: a hidden attribute would change
    answers.
    """
    read: set[tuple[str, str]] = set()
    plain = Entity.get

    def get(entity: Entity, attribute: str, default: str = "") -> str:
        read.add((entity.type, attribute))
        return plain(entity, attribute, default)

    monkeypatch.setattr(Entity, "get", get)
    for _ in asked(network.read(estate[0])):
        pass
    assert {
        ("listener", "host"),
        ("router", "mode"),
        ("connection", "container"),
        ("autoLink", "containerId"),
    } <= read
    hidden = {Holds.OPAQUE, Holds.SECRET, None}
    assert {
        (type_, name) for type_, name in read if setting(_entity(type_), name) in hidden
    } == set()


def test_every_known_parameter_of_an_ems_server_is_declared_or_judged_by_its_value() -> None:
    server = next(kind for kind in OWN_KINDS if kind.kind == "server" and kind.system == "ems")
    fact = server(bundle="", server="", source=Source(""))
    judged = {name for name in KNOWN if setting(fact, name) is None}
    numbers_and_flags = {
        "active_route_connect_time", "server_heartbeat_server", "server_timeout_server_connection",
        "compliant_queue_ack",
        "max_msg_memory", "detailed_statistics", "flow_control",
    }  # fmt: skip
    assert judged <= numbers_and_flags


def test_secrets_are_declared_as_such_wherever_an_importer_drops_their_values() -> None:
    for name in ("saslPassword", "password", "privateKeyFile", "passwordFile"):
        assert setting(_entity("connector"), name) is Holds.SECRET
    for name in ("password", "ssl_password", "ssl_server_key"):
        assert ems.setting(_entity("x"), name) is Holds.SECRET


def test_a_system_from_outside_that_declares_nothing_cannot_be_redacted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Alien(Fact):
        secretary: str = ""

    Alien.system = "alien"
    module = type("facts", (), {})()
    monkeypatch.setattr(extensions, "module", lambda _system, _part: module)
    with pytest.raises(UsageError, match="does not say what the fields"):
        check_declared(["ems", "alien"])
    with pytest.raises(UsageError, match="Alien"):
        fields_of(Alien)
    module.HOLDS = {
        Alien: {
            "bundle": Holds.PATH,
            "server": Holds.SERVER,
            "source": Holds.PLACE,
            "secretary": Holds.USER,
        }
    }
    fields_of.cache_clear()
    check_declared(["alien"])
    assert fields_of(Alien)["secretary"] is Holds.USER


def _entity(type_: str) -> Entity:
    return Entity(bundle="", server="", source=Source(""), type=type_, name="")
