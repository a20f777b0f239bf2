"""From sections to the entities that are in effect (rules C-2 to C-9, defaults of section 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from topograph.credentials import without_user_info
from topograph.digits import integer
from topograph.facts.amqp_addresses import stored_tokens
from topograph.facts.route_containers import why_never_active
from topograph.findings import Finding, Source
from topograph.importers.amq_interconnect.notes import ReadNotes
from topograph.importers.amq_interconnect.old_syntax import modern
from topograph.importers.amq_interconnect.schema import (
    SKUPPER_ROLES,
    TYPES,
    EntityType,
    checked_value,
    plain_text,
)
from topograph.importers.amq_interconnect.sections import ConfDocument, ConfEntry, ConfSection
from topograph.importers.amq_interconnect.usual_values import trim, usual_values
from topograph.records import record
from topograph.rules import Rule
from topograph.rules.amq_interconnect_findings import (
    A_3,
    A_4,
    A_5,
    ADDRESS_DROPPED,
    AUTOLINK_DROPPED,
    BOTH_SPELLINGS,
    C_2,
    C_3,
    C_4,
    C_5,
    C_6,
    COST_BELOW_ONE,
    COST_WITHOUT_EFFECT,
    DEPRECATED_ATTRIBUTE,
    DUPLICATE_NAME,
    INVALID_ROUTER_ID,
    INVALID_VALUE,
    LINKROUTE_DROPPED,
    MISSING_ATTRIBUTE,
    NO_ROUTER_ID,
    OLD_ATTRIBUTE,
    OLD_ROLE,
    OUTER_SEPARATORS,
    PATTERN_REWRITTEN,
    PLAIN_MAP,
    PREFIX_WITH_WILDCARD,
    REPEATED_ATTRIBUTE,
    ROLE_NOT_ALLOWED,
    ROUTER_ID_TEMPLATE,
    SECOND_SINGLETON,
    SECTION_1_1,
    SECTION_3_1,
    SECTION_3_3,
    SKUPPER_ATTRIBUTE,
    SKUPPER_ROLE,
    SKUPPER_SECTION,
    SSL_PROFILE_UNDEFINED,
    T_3,
    T_14,
    UNKNOWN_ATTRIBUTE,
    UNKNOWN_SECTION,
)
from topograph.rules.unnumbered import CUT_OFF
from topograph.words.articles import with_article

_MAX_ID_LENGTH = 127
_SEPARATOR = re.compile("[./]")
_PLAIN_ADDRESS = re.compile(r"[^./*#]++(?:[./][^./*#]++)*+")
"""An address that is kept as it is written: no wildcard, no empty token."""
_UNUSABLE_IN_ID = re.compile(r"[\s\x00-\x1f\x7f]")


@dataclass(slots=True)
class LoadedEntry:
    """One section while it is loaded and after. ``index`` counts the sections of its type in file
    order, dropped ones included (section 1).

    ``dropped`` is the rule (C-5, C-6) by which the router leaves the entry out, empty if it is
    kept; ``logged`` whether the router then writes a log line; ``never_active`` whether a kept
    linkRoute or autoLink can never become active (C-7).
    """

    type: str
    index: int
    name: str
    named: bool
    attributes: dict[str, str]
    stated: dict[str, ConfEntry]
    source: Source
    dropped: str = ""
    logged: bool = False
    never_active: bool = False

    def where(self, *attributes: str) -> Source:
        """The place of the first of these attributes that is stated, else of the section."""
        return next(
            (self.stated[name].source for name in attributes if name in self.stated), self.source
        )

    def text(self, *attributes: str) -> str:
        """The written line of the first of these attributes that is stated."""
        return next((self.stated[name].text for name in attributes if name in self.stated), "")


@record
class Loaded:
    """A whole configuration. ``starts`` is whether a 1.x router starts with it;
    ``starts_if_old`` whether all that stands against it is syntax of routers before 1.0.
    ``deprecated`` are (section, attribute) in file order. ``unknown`` counts what was not
    understood."""

    entries: tuple[LoadedEntry, ...]
    findings: tuple[Finding, ...]
    deprecated: tuple[tuple[str, str], ...]
    starts: bool
    starts_if_old: bool
    refusals: tuple[Finding, ...]
    unknown: int
    skupper: tuple[Finding, ...] = ()
    """What only Skupper Router reads, so that AMQ Interconnect does not start (1.8)."""
    until_1_12: tuple[Finding, ...] = ()
    """What only routers up to 1.12 read (C-2)."""
    cut: Source | None = None
    """Where the text ends in its middle."""

    @property
    def router_id(self) -> str:
        """The id of the (first) router section, empty where none is stated."""
        routers = (
            entry.attributes.get("id", "") for entry in self.entries if entry.type == "router"
        )
        return next(routers, "")


_SEVERAL_ADDRESSES = "multiAddressStrategy"
_TCP_NEEDS = {"tcpConnector": ("address", "host", "port"), "tcpListener": ("address", "port")}
"""What a TCP bridge does not do without, by type."""

_DROPPED = {
    "address": ADDRESS_DROPPED,
    "autoLink": AUTOLINK_DROPPED,
    "linkRoute": LINKROUTE_DROPPED,
}
"""The kinds of findings about entries that a router leaves out, and about those that it never uses,
by type."""


def load(document: ConfDocument) -> Loaded:
    """Apply the loading rules to a document. Never raises; linear in its sections."""
    return _Loader(document).loaded()


class _Loader:
    def __init__(self, document: ConfDocument) -> None:
        self.notes = ReadNotes()
        self.whole = document.whole and document.cut is None
        self.cut = document.cut
        self.deprecated: list[tuple[str, str]] = []
        self.unknown = 0
        self.missing: list[tuple[ConfSection, str]] = []
        for fault in document.faults:
            if fault.kind is PLAIN_MAP:
                self.notes.refuse_from_1_13(fault.kind, fault.message, fault.source, fault.excerpt)
                continue
            self.notes.refuse(fault.kind, C_2, fault.message, fault.source, fault.excerpt)
            self.unknown += 1
        if self.cut is not None:
            self.notes.findings.append(CUT_OFF.at(self.cut.source, self.cut.message))
            self.unknown += 1
        for fault in document.suspicious:
            self.notes.warn(fault.kind, SECTION_3_1, fault.message, fault.source, fault.excerpt)
        counts: dict[str, int] = {}
        self.entries: list[LoadedEntry] = []
        for section in modern(document.sections, self.notes):
            entity = TYPES.get(section.type)
            if entity is None:
                self.notes.refuse(
                    UNKNOWN_SECTION,
                    C_2,
                    f"There is no section {section.written}",
                    section.source,
                    section.written,
                )
                self.unknown += 1
                continue
            if entity.skupper:
                message = f"The section {section.written} exists only in Skupper Router"
                self.notes.only_skupper(SKUPPER_SECTION, message, section.source, section.written)
            index = counts.get(section.type, 0)
            counts[section.type] = index + 1
            self.entries.append(self.entry(section, entity, index))

    def loaded(self) -> Loaded:
        self.check_singletons()
        self.check_names()
        self.check_router()
        self.check_roles()
        self.check_tcp()
        self.check_missing()
        if self.whole:
            self.check_profiles()
        self.drop_addresses()
        self.drop_links()
        self.mark_never_active()
        return Loaded(
            tuple(self.entries),
            tuple(self.notes.findings),
            tuple(self.deprecated),
            starts=not (
                self.cut
                or self.notes.refused
                or self.notes.old
                or self.notes.skupper
                or self.notes.until_1_12
            ),
            starts_if_old=not self.notes.refused,
            refusals=(*self.notes.refused, *self.notes.old),
            unknown=self.unknown,
            skupper=tuple(self.notes.skupper),
            until_1_12=tuple(self.notes.until_1_12),
            cut=self.cut.source if self.cut is not None else None,
        )

    def entry(self, section: ConfSection, entity: EntityType, index: int) -> LoadedEntry:
        stated = {entry.name: entry for entry in section.entries}
        usual = usual_values(entity, stated) if len(stated) == len(section.entries) else None
        if usual is not None:
            attributes = usual
        else:
            stated = self.stated(section, entity)
            attributes = self.values(section, entity, stated)
        named = "name" in attributes
        name = attributes.get("name") or _generated_name(section.type, index, attributes)
        if section.type == "router":
            name = attributes.get("id") or name
        if section.type == "log" and not named:
            name = f"log/{attributes.get('module', index)}"
        return LoadedEntry(section.type, index, name, named, attributes, stated, section.source)

    def stated(self, section: ConfSection, entity: EntityType) -> dict[str, ConfEntry]:
        """The stated attributes under their present names; the last of several counts."""
        stated: dict[str, ConfEntry] = {}
        spelling: dict[str, str] = {}
        for entry in section.entries:
            name = self.present_name(section, entity, entry)
            if not name:
                continue
            if name in stated and spelling[name] != entry.name:
                message = (
                    f"{spelling[name]} and {entry.name} are two spellings of one attribute "
                    f"of {section.type}"
                )
                self.notes.refuse(BOTH_SPELLINGS, C_2, message, entry.source, entry.text)
            elif name in stated:
                message = f"{name} occurs twice in one {section.type} section: the last one counts"
                self.notes.warn(REPEATED_ATTRIBUTE, SECTION_3_1, message, entry.source, entry.text)
            stated[name] = entry
            spelling[name] = entry.name
        return stated

    def present_name(self, section: ConfSection, entity: EntityType, entry: ConfEntry) -> str:
        """The schema's name for an attribute as written, empty if it has none (C-2)."""
        if entity.attributes is None or entry.name in entity.attributes:
            return entry.name
        if entry.name in entity.deprecated:
            present = entity.deprecated[entry.name]
            self.deprecated.append((section.type, entry.name))
            message = f"{entry.name} is a deprecated name: use {present}"
            self.notes.inform(DEPRECATED_ATTRIBUTE, C_2, message, entry.source, entry.text)
            return present
        if entry.name in entity.old:
            present = entity.old[entry.name]
            instead = f"read as {present}" if present else "left out"
            message = (
                f"{entry.name} is not an attribute of {section.type} from 1.0 on (here {instead})"
            )
            self.notes.refuse_from_1_0(OLD_ATTRIBUTE, message, entry.source, entry.text)
            return present
        self.unknown += 1
        message = f"{section.type} has no attribute {without_user_info(entry.name)}"
        self.notes.refuse(UNKNOWN_ATTRIBUTE, C_2, message, entry.source, entry.text)
        return ""

    def values(
        self, section: ConfSection, entity: EntityType, stated: dict[str, ConfEntry]
    ) -> dict[str, str]:
        """The values in effect by attribute, defaults included; invalid ones are left out."""
        if entity.attributes is None:
            return {name: plain_text(name, entry.value) for name, entry in stated.items()}
        values: dict[str, str] = {}
        for name, attribute in entity.attributes.items():
            entry = stated.get(name)
            if entry is None:
                if attribute.default is not None:
                    values[name] = attribute.default
                elif attribute.required and attribute.skupper:
                    self.missing.append((section, name))
                elif attribute.required:
                    self.refuse_missing(section, name)
                continue
            if attribute.skupper and not attribute.required:
                message = f"The attribute {name} of {section.type} exists only in Skupper Router"
                self.notes.only_skupper(SKUPPER_ATTRIBUTE, message, entry.source, entry.text)
            if name == "role" and entry.value == "on-demand":
                self.notes.refuse_from_1_0(
                    OLD_ROLE, "The role on-demand is gone from 1.0 on", entry.source, entry.text
                )
                values[name] = "on-demand"
                continue
            try:
                values[name] = checked_value(attribute, entry.value)
            except ValueError as error:
                shown = plain_text(name, entry.value)
                message = f"{name} of {section.type}: {shown!r} {error}"
                self.notes.refuse(INVALID_VALUE, C_2, message, entry.source, entry.text)
        trim(section.type, values)
        return values

    def check_singletons(self) -> None:
        for entry in self.entries:
            if entry.index and TYPES[entry.type].singleton:
                self.notes.refuse(
                    SECOND_SINGLETON,
                    C_2,
                    f"A second {entry.type} section",
                    entry.source,
                    entry.type,
                )

    def check_names(self) -> None:
        """A stated name is unique over all entities of the file, whatever their type."""
        first: dict[str, LoadedEntry] = {}
        for entry in self.entries:
            if not entry.named:
                continue
            other = first.setdefault(
                entry.name if entry.type != "router" else entry.attributes["name"], entry
            )
            if other is not entry:
                message = (
                    f"The name {entry.name} is already that of the {other.type} at {other.source}"
                )
                self.notes.refuse(
                    DUPLICATE_NAME, C_2, message, entry.where("name"), entry.text("name")
                )

    def check_router(self) -> None:
        routers = [entry for entry in self.entries if entry.type == "router"]
        for router in routers:
            id_, where, text = (
                router.attributes.get("id", ""),
                router.where("id"),
                router.text("id"),
            )
            if _UNUSABLE_IN_ID.search(id_):
                message = f"The router id {id_!r} holds white space or a control character"
                self.notes.refuse(INVALID_ROUTER_ID, C_2, message, where, text)
            elif len(id_) > _MAX_ID_LENGTH:
                message = (
                    f"The router id has {len(id_)} characters, at most {_MAX_ID_LENGTH} are allowed"
                )
                self.notes.refuse(INVALID_ROUTER_ID, C_2, message, where, text)
            elif "${" in id_:
                message = (
                    f"The router id {id_} is filled in at start: which id this router has is "
                    "not known from the file"
                )
                self.notes.warn(ROUTER_ID_TEMPLATE, SECTION_3_3, message, where, text)
            elif not id_:
                message = "No router id: the router takes a random one at each start"
                self.notes.inform(NO_ROUTER_ID, SECTION_1_1, message, router.source)

    @property
    def mode(self) -> str:
        """The mode of the router; empty if it may stand behind the end of the text."""
        router = next((entry for entry in self.entries if entry.type == "router"), None)
        if self.cut is not None and (router is None or "mode" not in router.stated):
            return ""
        return router.attributes.get("mode", "standalone") if router else "standalone"

    def check_roles(self) -> None:
        mode = self.mode
        for entry in self.entries:
            if entry.type not in ("listener", "connector"):
                continue
            role, where, text = (
                entry.attributes.get("role", "normal"),
                entry.where("role"),
                entry.text("role"),
            )
            if role in SKUPPER_ROLES:
                self.notes.only_skupper(
                    SKUPPER_ROLE, f"The role {role} exists only in Skupper Router", where, text
                )
            elif (mode == "standalone" and role in ("inter-router", "edge")) or (
                mode == "edge"
                and (role == "inter-router" or (role == "edge" and entry.type == "listener"))
            ):
                message = (
                    f"{with_article(entry.type, begins=True)} of role {role} is not allowed in a "
                    f"router of mode {mode}"
                )
                self.notes.refuse(ROLE_NOT_ALLOWED, C_3, message, where, text)
            cost = integer(entry.attributes.get("cost", "1"), 1)
            if cost < 1:
                message = (
                    f"Cost {cost} is below 1; the other side's cost counts if it is larger, "
                    "and a result below 1 fails at run time"
                )
                self.notes.warn(
                    COST_BELOW_ONE, C_4, message, entry.where("cost"), entry.text("cost")
                )
            if "cost" in entry.stated and role != "inter-router":
                message = f"The cost of {with_article(entry.type)} of role {role} has no effect"
                self.notes.inform(
                    COST_WITHOUT_EFFECT, T_3, message, entry.where("cost"), entry.text("cost")
                )

    def check_missing(self) -> None:
        """Attributes that only Skupper Router does without: a file of it says so elsewhere too,
        by a role or section of its own (S-6).
        """
        only_skupper = bool(self.notes.skupper)
        for section, name in self.missing:
            if only_skupper:
                message = f"A section {section.type} without {name} exists only in Skupper Router"
                self.notes.only_skupper(SKUPPER_ATTRIBUTE, message, section.source, section.written)
            else:
                self.refuse_missing(section, name)

    def check_tcp(self) -> None:
        """What a TCP bridge needs (S-3), and what of it only Skupper Router reads: a listener with
        a ``multiAddressStrategy`` takes its addresses from elsewhere."""
        for entry in self.entries:
            if entry.type not in _TCP_NEEDS:
                continue
            needs = list(_TCP_NEEDS[entry.type])
            if entry.attributes.get(_SEVERAL_ADDRESSES, "none") != "none":
                needs.remove("address")
                message = (
                    f"The attribute {_SEVERAL_ADDRESSES} of {entry.type} exists only in Skupper "
                    "Router"
                )
                self.notes.only_skupper(
                    SKUPPER_ATTRIBUTE,
                    message,
                    entry.where(_SEVERAL_ADDRESSES),
                    entry.text(_SEVERAL_ADDRESSES),
                )
            for name in needs:
                if not entry.attributes.get(name):
                    message = f"{entry.type} needs the attribute {name}"
                    self.notes.refuse(MISSING_ATTRIBUTE, C_2, message, entry.source, entry.type)

    def check_profiles(self) -> None:
        """The sslProfiles that listeners and connectors name, and that nothing defines (T-14)."""
        defined = {entry.name for entry in self.entries if entry.type == "sslProfile"}
        for entry in self.entries:
            name = entry.attributes.get("sslProfile", "").strip()
            if entry.type in ("listener", "connector") and name and name not in defined:
                message = (
                    f"The sslProfile {name} of {entry.type} {entry.name} is not defined: Skupper "
                    "Router does not start, qpid-dispatch passes over the name and has no "
                    "certificate there"
                )
                self.notes.error(
                    SSL_PROFILE_UNDEFINED,
                    T_14,
                    message,
                    entry.where("sslProfile"),
                    entry.text("sslProfile"),
                )

    def refuse_missing(self, section: ConfSection, name: str) -> None:
        message = f"{section.type} needs the attribute {name}"
        self.notes.refuse(MISSING_ATTRIBUTE, C_2, message, section.source, section.written)

    def drop(
        self,
        entry: LoadedEntry,
        rule: Rule,
        reason: str,
        where: Source,
        text: str,
        *,
        logged: bool,
    ) -> None:
        entry.dropped, entry.logged = rule.number, logged
        how = "with a log line" if logged else "without a word in the log"
        message = f"{entry.type} {entry.name} is left out {how}: {reason}"
        self.notes.error(_DROPPED[entry.type], rule, message, where, text)

    def drop_addresses(self) -> None:
        first: dict[tuple[str, ...], LoadedEntry] = {}
        for entry in self.entries:
            if entry.type != "address":
                continue
            if self.drop_for_naming(entry):
                continue
            name = "prefix" if "prefix" in entry.attributes else "pattern"
            if reason := _invalid_address(entry):
                self.drop(entry, C_5, reason, entry.where(name), entry.text(name), logged=False)
                continue
            apply_phases(entry)
            tokens = stored_tokens(entry.attributes[name], is_prefix=name == "prefix")
            other = first.setdefault(tokens, entry)
            if other is not entry:
                reason = (
                    f"it matches the same addresses as {other.name} at {other.source}, and "
                    "the first wins"
                )
                self.drop(entry, C_6, reason, entry.where(name), entry.text(name), logged=True)
                continue
            self.note_suspicious(entry, name)

    def drop_for_naming(self, entry: LoadedEntry) -> bool:
        """Drop an address or linkRoute with both or none of prefix and pattern."""
        if ("prefix" in entry.attributes) != ("pattern" in entry.attributes):
            return False
        reason = (
            "it has both prefix and pattern"
            if "prefix" in entry.attributes
            else "it has neither prefix nor pattern"
        )
        self.drop(
            entry,
            C_6,
            reason,
            entry.where("pattern", "prefix"),
            entry.text("pattern", "prefix"),
            logged=True,
        )
        return True

    def note_suspicious(self, entry: LoadedEntry, name: str) -> None:
        """Position 17: wildcards in a prefix, runs of wildcards and outer separators work, but
        seldom as meant.
        """
        value = entry.attributes[name]
        if not _PLAIN_ADDRESS.fullmatch(value):
            self.note_rewritten(entry, name, value)
        if str(entry.stated[name].value) != value:
            message = f"Leading and trailing separators do not count: this is {value}"
            self.notes.inform(OUTER_SEPARATORS, A_4, message, entry.where(name), entry.text(name))

    def note_rewritten(self, entry: LoadedEntry, name: str, value: str) -> None:
        tokens = _SEPARATOR.split(value)
        if name == "prefix" and ("*" in tokens or "#" in tokens):
            message = f"The prefix {value} holds a wildcard: it stands for the pattern {value}/#"
            self.notes.warn(PREFIX_WITH_WILDCARD, A_3, message, entry.where(name), entry.text(name))
        stored = stored_tokens(value, is_prefix=False)
        if stored != tuple(tokens):
            separator = next((character for character in value if character in "./"), "/")
            message = (
                f"The router keeps the {name} {value!r} as {separator.join(stored)!r}, which "
                "matches the same addresses"
            )
            self.notes.inform(PATTERN_REWRITTEN, A_5, message, entry.where(name), entry.text(name))

    def drop_links(self) -> None:
        for entry in self.entries:
            if entry.type == "linkRoute" and self.drop_for_naming(entry):
                continue
            if entry.type not in ("linkRoute", "autoLink"):
                continue
            if {"connection", "containerId"} <= entry.attributes.keys():
                where = entry.where("containerId")
                self.drop(
                    entry,
                    C_6,
                    "it has both connection and containerId",
                    where,
                    entry.text("containerId"),
                    logged=True,
                )
            elif entry.type == "autoLink":
                self.autolink_phase(entry)

    def autolink_phase(self, entry: LoadedEntry) -> None:
        default = (
            "1"
            if entry.attributes.get("direction") == "in"
            and entry.attributes.get("fallback") == "false"
            else "0"
        )
        phase = integer(entry.attributes.setdefault("phase", default), -1)
        if not 0 <= phase <= 9:
            reason = f"its phase {phase} is not between 0 and 9"
            self.drop(entry, C_6, reason, entry.where("phase"), entry.text("phase"), logged=True)

    def mark_never_active(self) -> None:
        roles = {
            entry.name: entry.attributes.get("role", "normal")
            for entry in self.entries
            if entry.type in ("listener", "connector") and entry.named
        }
        for entry in self.entries:
            if entry.type not in ("linkRoute", "autoLink") or entry.dropped:
                continue
            connection = entry.attributes.get("connection", "")
            if self.cut is not None and connection not in roles:
                continue
            container = entry.attributes.get("containerId", "")
            if why_never_active(connection, container, roles):
                entry.never_active = True


_PHASED = frozenset({"waypoint", "ingressPhase", "egressPhase", "priority", "enableFallback"})
"""What of an address bears on its phases."""


def apply_phases(entry: LoadedEntry) -> None:
    """The phases in effect: explicit ones win over waypoint, which is 0 and 1; ``waypoint``
    then says whether they are 0 and 1.
    """
    attributes = entry.attributes
    waypoint = attributes.get("waypoint") == "true"
    attributes.setdefault("ingressPhase", "0")
    attributes.setdefault("egressPhase", "1" if waypoint else "0")
    if entry.stated.keys().isdisjoint(_PHASED):
        return
    attributes["waypoint"] = str(
        (attributes["ingressPhase"], attributes["egressPhase"]) == ("0", "1")
    ).lower()
    if integer(attributes.get("priority", "-1"), -1) < 0:
        attributes.pop("priority", None)


def _invalid_address(entry: LoadedEntry) -> str:
    """Why the router leaves an address out without a log line, empty if it does not (C-5)."""
    attributes = entry.attributes
    if not attributes.get("prefix", "-") or not attributes.get("pattern", "-"):
        return "nothing is left of its prefix or pattern without separators"
    if entry.stated.keys().isdisjoint(_PHASED):
        return ""
    phases = [attributes[name] for name in ("ingressPhase", "egressPhase") if name in attributes]
    if len(phases) == 1:
        return "it has only one of ingressPhase and egressPhase"
    if any(not 0 <= integer(phase, -1) <= 9 for phase in phases):
        return "a phase is not between 0 and 9"
    waypoint = attributes.get("waypoint") == "true"
    if attributes.get("enableFallback") == "true" and (
        waypoint or any(integer(phase, 0) for phase in phases)
    ):
        return "enableFallback cannot go with waypoint or phases"
    if integer(attributes.get("priority", "0"), 10) > 9:
        return f"its priority {attributes['priority']} is above 9"
    return ""


def _generated_name(type_: str, index: int, attributes: dict[str, str]) -> str:
    if type_ in ("listener", "connector"):
        return f"{type_}/{attributes.get('host', '')}:{attributes.get('port', '')}"
    return f"{type_}/{index}"
