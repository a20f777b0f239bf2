"""What the commands of one script leave behind at one queue manager, in the order in which MQ would
run them (ibm_mq.md C4, C-9 to C-12).

A command that MQ would refuse has no effect here either, and is an error; one of which that is not
certain has its effect, with a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from topograph.facts import Fact
from topograph.facts.ibm_mq import (
    Attribute,
    ChannelStatus,
    Described,
    OtherStatus,
    QueueManager,
    fact_of,
)
from topograph.facts.ibm_mq_faults import Fault, object_fault, repository_fault
from topograph.facts.ibm_mq_names import (
    CHANNEL_TYPES,
    DEFAULT_OBJECTS,
    OF_THE_PRODUCT,
    OPPOSITES,
    QUEUES,
    longest_name,
    name_space,
    object_name_fault,
)
from topograph.facts.ibm_mq_templates import is_template
from topograph.facts.shown import EVERY
from topograph.findings import Finding, Severity, Source
from topograph.importers.ibm_mq.coverage import Statement
from topograph.importers.ibm_mq.schema import FLAGS, ROUTING, unknown, value_fault
from topograph.importers.ibm_mq.secrets import attribute
from topograph.importers.ibm_mq.words import MqscWord, Parsed
from topograph.importers.positions.places import Placing
from topograph.rules import FindingKind, Rule
from topograph.rules.ibm_mq_findings import (
    ALTERED_AFTER_DELETE,
    ALTERED_BEFORE_DEFINED,
    ATTRIBUTE_TWICE,
    ATTRIBUTE_UNKNOWN,
    C_9,
    C_10,
    CHANNEL_TYPE_MISSING,
    CHANNEL_TYPE_UNKNOWN,
    COMMAND_NOT_FOLLOWED,
    COMMAND_UNKNOWN,
    DEFINED_TWICE,
    DEFINITION_DOUBTFUL,
    DEFINITION_REFUSED,
    ENDS_IN_THE_MIDDLE,
    LIKE_UNKNOWN,
    M_30,
    NAME_MISSING,
    NAME_TOO_LONG,
    OTHER_TYPE,
    SECTION_C4,
    STRAY_TEXT,
)
from topograph.rules.unnumbered import TEMPLATE
from topograph.words.articles import with_article

Key = tuple[str, str]
_MOST_TEMPLATES = 50
"""Objects with text of a template that get a finding of their own."""
_REFUSED = "MQ refuses the command"
_EXCLUDING = (("REPLACE", "NOREPLACE"), ("PURGE", "NOPURGE"))
_OF_A_PAIR = frozenset({*OPPOSITES, "NOREPLACE", "NOPURGE"})
_OF_QUEUES = frozenset({"CLUSTER", "CLUSNL", "CLCHNAME"})
"""What of a queue excludes other attributes of it."""
_CONDITIONAL = "This is in a part of a template that may be left out."


@dataclass(slots=True)
class Object:
    """One object as it is after the commands read so far. ``attributes`` by name, in the order
    of the file.
    """

    noun: str
    name: str
    source: Source
    verb: str = "DEFINE"
    channel_type: str = ""
    attributes: dict[str, Attribute] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    like: str = ""
    doubts: list[str] = field(default_factory=list)
    partial: bool = False
    """Whether output showed some of its attributes, so that others may have any value."""
    template: bool = False
    """Whether it holds text of a template where that decides about routing, once all is read."""

    @property
    def shown(self) -> str:
        return f"{self.noun}({self.name})"


class ManagerModel:
    """One queue manager. ``name`` is empty until something names it."""

    def __init__(self, name: str = "", by: str = "") -> None:
        self.name, self.by = name, by
        self.where: Source | None = None
        self.objects: dict[Key, Object] = {}
        self.rules: list[Object] = []
        self.manager: dict[str, Attribute] = {}
        self.manager_unknown: list[str] = []
        self.manager_doubts: list[str] = []
        self.manager_cut = False
        self.at: Source | None = None
        self.is_dump = False
        self.from_dump = False
        self.taken = False
        """Whether the queue manager is known to have taken the command that is being read."""
        self.shows_all = False
        self.cut = False
        """Whether the command that is being read ends in the middle."""
        self.configured = False
        """Whether something defines or shows objects: without, it is not known what the queue
        manager has.
        """
        self.observed: list[Described] = []
        self.stopped: dict[str, Source] = {}
        self.stopped_listeners: dict[str, Source] = {}
        """The channels that its commands leave stopped, each with the command."""
        self.statements: list[Statement] = []
        """How much its output shows."""
        self.scripted = False
        """Whether commands that are not of a dump define objects."""
        self.unread: list[str] = []
        self.findings: list[Finding] = []
        self.not_defined: dict[Key, Object] = {}
        """What definitions that MQ refuses were to make."""
        self.done = 0
        self.ignored = 0
        self.refused = 0

    @property
    def empty(self) -> bool:
        """Whether nothing was said of this queue manager but its name."""
        return not (
            self.objects
            or self.rules
            or self.manager
            or self.observed
            or self.done
            or self.unread
            or self.statements
        )

    def state(self, statement: Statement) -> None:
        """Keep what a block shows that stands alone, once for all that show the same. Linear in
        the kinds of such blocks.
        """
        if not any(replace(one, source=statement.source) == statement for one in self.statements):
            self.statements.append(statement)

    def run(self, parsed: Parsed, placing: Placing, conditional: bool, done: bool) -> None:
        """Do what a command does; ``done`` says that output of the queue manager confirms it.
        Linear in its words (and in the attributes of a LIKE).
        """
        source = placing.at(parsed.line, parsed.column)
        self.taken = done or self.from_dump
        self.at = self.at or source
        self.configured = self.configured or parsed.verb in ("DEFINE", "ALTER", "DELETE", "SET")
        self.scripted = self.scripted or (parsed.verb == "DEFINE" and not self.from_dump)
        doubts = self._faults(parsed, placing)
        self.cut = any(fault.kind is ENDS_IN_THE_MIDDLE for fault in parsed.faults)
        if conditional:
            doubts.append(_CONDITIONAL)
        if parsed.verb == "SET":
            self._set(parsed, placing, source, doubts)
        elif parsed.verb not in ("DEFINE", "ALTER", "DELETE"):
            self._other(parsed, source)
        elif parsed.noun == "QMGR":
            self._manager(parsed, placing, source, doubts)
        elif parsed.noun in (
            "QUEUE",
            "CLUSQMGR",
            "QCLUSTER",
            "CHSTATUS",
            "QSTATUS",
            "CHLAUTH",
            "AUTHREC",
            "QMSTATUS",
        ):
            self._refuse(
                COMMAND_UNKNOWN,
                f"{parsed.verb} does not go with {parsed.noun}: {_REFUSED}.",
                source,
                parsed,
            )
        elif not parsed.named or not parsed.name:
            if parsed.noun in QUEUES or parsed.noun in (
                "CHANNEL",
                "LISTENER",
                "NAMELIST",
                "TOPIC",
                "SUB",
            ):
                self._refuse(
                    NAME_MISSING,
                    f"{parsed.verb} {parsed.noun} without a name: {_REFUSED}.",
                    source,
                    parsed,
                )
            else:
                self.ignored += 1
        else:
            self._object(parsed, placing, source, doubts)

    def _faults(self, parsed: Parsed, placing: Placing) -> list[str]:
        doubts = []
        for fault in parsed.faults:
            severity = Severity.WARNING if fault.hint else Severity.ERROR
            self.note(
                fault.kind, severity, fault.message, placing.at(fault.line, 0), _shown(parsed)
            )
            doubts.append(fault.message)
        return doubts

    def _object(self, parsed: Parsed, placing: Placing, source: Source, doubts: list[str]) -> None:
        noun, name = parsed.noun, parsed.name
        if not (parsed.words or doubts) and self._defined_alone(parsed, source):
            return
        type_ = (
            next((word.value or "" for word in parsed.words if word.name == "CHLTYPE"), "")
            .upper()
            .strip()
        )
        options = {
            word.name: (word.value or "").strip() for word in parsed.words if word.name in FLAGS
        }
        in_table = "CLNTCONN" if is_client_table(options.get("CHLTABLE", "")) else ""
        key = key_of(noun, name, type_ or in_table)
        held = self.objects.get(key)
        if (fault := self._words_fault(parsed, type_, doubts)) is not None:
            self._refuse_fault(fault, parsed, source, held)
            if parsed.verb == "DEFINE":
                self.not_defined[key] = _as_written(parsed, type_, placing, source, fault[1])
        elif parsed.verb == "DELETE":
            self._delete(parsed, key, held, source, doubts)
        elif not self._takes_name(parsed, type_, held, source, doubts):
            return
        elif parsed.verb == "ALTER":
            self._alter(parsed, type_, key, held, placing, source, doubts)
        else:
            self._define(parsed, type_, options, key, held, placing, source, doubts)

    def _defined_alone(self, parsed: Parsed, source: Source) -> bool:
        """Define a queue of which its name is all that is said, where no other command of the
        script has to do with it: what the rest of ``_object`` does then. Whether that is so."""
        noun, name = parsed.noun, parsed.name
        if noun not in QUEUES or parsed.verb != "DEFINE":
            return False
        key = key_of(noun, name, "")
        begun = key in self.objects or key_of(noun, DEFAULT_OBJECTS[noun], "") in self.objects
        if begun or object_name_fault(noun, name):
            return False
        self.objects[key] = Object(noun, name, source)
        self.done += 1
        return True

    def _takes_name(
        self,
        parsed: Parsed,
        type_: str,
        held: Object | None,
        source: Source,
        doubts: list[str],
    ) -> bool:
        """Whether MQ takes a name for an object of that kind; a refusal is noted."""
        noun, name = parsed.noun, parsed.name
        if noun == "CHANNEL" and not self._type_fits(parsed, type_, source):
            return False
        longest = longest_name(noun)
        if len(name) > longest and not is_template(name):
            message = (
                f"The name of {noun}({name[:60]}) has {len(name)} characters and may have "
                f"{longest}: {_REFUSED}."
            )
            self._refuse(NAME_TOO_LONG, message, source, parsed)
            return False
        if (
            parsed.verb == "DEFINE"
            and not (self.taken or doubts or is_template(name))
            and (wrong := object_name_fault(noun, name))
        ):
            self._refuse_fault((SECTION_C4, wrong), parsed, source, held)
            return False
        if (
            held is not None
            and held.verb != "DELETE"
            and (held.noun != noun or (type_ and held.channel_type not in ("", type_)))
        ):
            was = held.noun if held.noun != noun else f"{held.channel_type} channel"
            message = f"{name} is {with_article(was)} in line {held.source.line}: {_REFUSED}."
            self._refuse(OTHER_TYPE, message, source, parsed, C_9)
            return False
        return True

    def _alter(
        self,
        parsed: Parsed,
        type_: str,
        key: Key,
        held: Object | None,
        placing: Placing,
        source: Source,
        doubts: list[str],
    ) -> None:
        if held is not None and held.verb == "DELETE":
            message = (
                f"{parsed.noun}({parsed.name}) was deleted in line {held.source.line}: {_REFUSED}."
            )
            self._refuse(ALTERED_AFTER_DELETE, message, source, parsed)
            return
        held = held or Object(parsed.noun, parsed.name, source, "ALTER", type_)
        after = replace(
            held,
            attributes=dict(held.attributes),
            unknown=list(held.unknown),
            doubts=list(held.doubts),
        )
        self._apply(after, parsed.words, placing, doubts)
        if self._is_refused(after, parsed, source, held, doubts):
            return
        after.partial = after.partial or self.cut
        after.doubts += doubts
        self.objects[key] = after
        self.done += 1

    def _define(
        self,
        parsed: Parsed,
        type_: str,
        options: Mapping[str, str],
        key: Key,
        held: Object | None,
        placing: Placing,
        source: Source,
        doubts: list[str],
    ) -> None:
        made = Object(parsed.noun, parsed.name, source, "DEFINE", type_)
        again = held is not None and held.verb == "DEFINE" and not is_template(parsed.name)
        if held is not None and again and "REPLACE" not in options:
            message = (
                f"{held.shown} is defined in line {held.source.line} already and this is not a "
                f"REPLACE: {_REFUSED}, the first definition stays."
            )
            self._refuse(DEFINED_TWICE, message, source, parsed, C_9)
            return
        if held is not None and held.verb == "ALTER":
            if not parsed.name.startswith(OF_THE_PRODUCT):
                message = (
                    f"{held.shown} is altered here before line {source.line} defines it: MQ "
                    "refuses that ALTER."
                )
                self.note(
                    ALTERED_BEFORE_DEFINED,
                    Severity.ERROR,
                    message,
                    held.source,
                    f"ALTER {held.shown}",
                    C_9,
                )
            elif "REPLACE" not in options:
                made.attributes.update(held.attributes)
        wrong = self._start_from(made, options.get("LIKE", ""), source)
        self._apply(made, parsed.words, placing, doubts)
        if wrong and not (doubts or self.taken):
            self._refuse_fault((SECTION_C4, wrong), parsed, source, held)
            made.doubts.append(wrong)
            self.not_defined[key] = made
            return
        if self._is_refused(made, parsed, source, held, doubts):
            self.not_defined[key] = made
            return
        made.partial = made.partial or self.cut
        made.doubts += doubts
        self.objects[key] = made
        self.done += 1

    def _words_fault(self, parsed: Parsed, type_: str, doubts: list[str]) -> Fault | None:
        """Why MQ refuses a command for its words alone; None where it does not, or where text
        of a template leaves that open.
        """
        if self.taken or doubts:
            return None
        names = {word.name for word in parsed.words}
        if parsed.verb == "DELETE":
            if parsed.noun in QUEUES or parsed.noun == "CHANNEL":
                for name in sorted(names - FLAGS - {"CHLTYPE"}):
                    return SECTION_C4, f"DELETE {parsed.noun} takes no {name[:40]}"
            return None
        if not names.isdisjoint(_OF_A_PAIR):
            for one, other in (*_EXCLUDING, *OPPOSITES.items()):
                if one in names and other in names:
                    return SECTION_C4, f"{one} and {other} are in one command"
        for word in parsed.words:
            if word.name == "LIKE" and not (word.value or "").strip():
                return SECTION_C4, "LIKE needs the name of an object in parentheses"
            if (
                (wrong := value_fault(parsed.noun, word.name, word.value))
                and word.name not in FLAGS
                and not unknown(parsed.noun, type_, word.name)
                and not is_template(word.value or "")
            ):
                return SECTION_C4, wrong
        return None

    def _is_refused(
        self,
        made: Object,
        parsed: Parsed,
        source: Source,
        held: Object | None,
        doubts: list[str],
    ) -> bool:
        """Whether MQ refuses what a command would leave. Where that is not certain, the command
        has its effect, with a doubt.
        """
        if self.taken or (made.noun in QUEUES and _OF_QUEUES.isdisjoint(made.attributes)):
            return False
        values = {name: one.value for name, one in made.attributes.items()}
        partial = bool(made.like) or made.verb == "ALTER"
        fault = object_fault(made.noun, made.channel_type, made.name, values, partial=partial)
        if fault is None and made.noun == "TOPIC" and values.get("TOPICSTR", "").strip():
            fault = self._taken_topic(made)
        if fault is None:
            return False
        if (
            doubts
            or made.doubts
            or _templated(made.name, made.attributes)
            or is_template(made.channel_type)
        ):
            message = f"MQ may refuse the command: {fault[1]}."
            self.note(
                DEFINITION_DOUBTFUL, Severity.WARNING, message, source, _shown(parsed), fault[0]
            )
            doubts.append(message)
            return False
        self._refuse_fault(fault, parsed, source, held)
        made.doubts.append(fault[1])
        return True

    def _taken_topic(self, made: Object) -> Fault | None:
        """M-30: one topic object stands for a topic string."""
        text = made.attributes["TOPICSTR"].value
        for other in self.objects.values():
            same = other.noun == "TOPIC" and other.name != made.name and other.verb == "DEFINE"
            if same and (held := other.attributes.get("TOPICSTR")) and held.value == text:
                return M_30, f"topic object {other.name} stands for {text!r} already"
        return None

    def _refuse_fault(
        self, fault: Fault, parsed: Parsed, source: Source, held: Object | None
    ) -> None:
        rule, why = fault
        stays = ""
        if held is not None and held.verb == "DEFINE":
            stays = f" What line {held.source.line} defines stays."
        message = f"{_REFUSED[:1].upper()}{_REFUSED[1:]}: {why}.{stays}"
        self._refuse(DEFINITION_REFUSED, message, source, parsed, rule)

    def _type_fits(self, parsed: Parsed, type_: str, source: Source) -> bool:
        if not type_:
            message = f"{parsed.verb} CHANNEL({parsed.name}) does not say its CHLTYPE: {_REFUSED}."
            self._refuse(CHANNEL_TYPE_MISSING, message, source, parsed)
            return False
        if type_ not in CHANNEL_TYPES and not is_template(type_):
            message = f"There is no CHLTYPE({type_}): {_REFUSED}."
            self._refuse(CHANNEL_TYPE_UNKNOWN, message, source, parsed)
            return False
        return True

    def _start_from(self, made: Object, like: str, source: Source) -> str:
        """What a new object has before its own attributes: those of LIKE, else those that the
        file gave the default object. Returns why LIKE cannot name that object, empty where it can.
        """
        default = DEFAULT_OBJECTS.get(
            made.channel_type if made.noun == "CHANNEL" else made.noun, ""
        )
        if self.from_dump or (made.name == default and not like):
            return ""
        base = self.objects.get(key_of(made.noun, like or default, made.channel_type))
        fits = base is not None and base.noun == made.noun
        if made.noun == "CHANNEL" and base is not None:
            fits = made.channel_type in (base.channel_type, "") or not base.channel_type
        if base is not None and base.verb != "DELETE" and fits:
            made.attributes.update(base.attributes)
            if base.verb == "ALTER" and like and like != default:
                made.like = like
            if base.doubts:
                made.doubts.append(f"It is made like {base.name}: {base.doubts[0]}")
            return ""
        if like and like != default:
            made.like = like
            if base is not None and not (base.doubts or is_template(like)):
                if base.verb == "DELETE":
                    return f"LIKE names {like}, which line {base.source.line} deletes"
                what = base.channel_type if base.noun == made.noun else base.noun
                return (
                    f"LIKE names {like}, which is {with_article(what)} in line {base.source.line}"
                )
            message = (
                f"{made.shown} is made like {like}, which this file does not define: what it "
                "has from there is not known."
            )
            self.note(
                LIKE_UNKNOWN,
                Severity.WARNING,
                message,
                source,
                f"DEFINE {made.shown} LIKE({like})",
            )
        return ""

    def _delete(
        self, parsed: Parsed, key: Key, held: Object | None, source: Source, doubts: list[str]
    ) -> None:
        if held is not None and held.verb != "DELETE" and held.noun != parsed.noun:
            message = (
                f"{held.name} is {with_article(held.noun)} in line {held.source.line}: {_REFUSED}."
            )
            self._refuse(OTHER_TYPE, message, source, parsed, C_9)
            return
        if held is not None and held.verb == "DELETE":
            self.ignored += 1
            return
        if held is not None and (doubts or held.doubts):
            held.doubts += [*doubts, f"Line {source.line} deletes it."]
            return
        gone = Object(parsed.noun, parsed.name, source, "DELETE", held.channel_type if held else "")
        gone.doubts += doubts
        self.objects[key] = gone
        self.done += 1

    def _manager(self, parsed: Parsed, placing: Placing, source: Source, doubts: list[str]) -> None:
        if parsed.verb != "ALTER":
            self._refuse(
                COMMAND_UNKNOWN,
                f"{parsed.verb} does not go with QMGR: {_REFUSED}.",
                source,
                parsed,
            )
            return
        target = Object("QMGR", self.name, source)
        target.attributes = dict(self.manager)
        fault = self._words_fault(parsed, "", doubts)
        if fault is None:
            self._apply(target, parsed.words, placing, doubts)
            self.manager_cut = self.manager_cut or self.cut
            values = {name: one.value for name, one in target.attributes.items()}
            fault = None if self.taken or doubts else repository_fault(values)
        if fault is not None:
            self._refuse_fault(fault, parsed, source, None)
            return
        self.where = self.where or source
        self.manager = target.attributes
        self.manager_unknown += target.unknown
        self.manager_doubts += doubts
        self.done += 1
        self.is_dump = self.is_dump or (
            self.from_dump and (self.shows_all or {"DEADQ", "DEFXMITQ"} <= self.manager.keys())
        )

    def _apply(
        self, target: Object, words: list[MqscWord], placing: Placing, doubts: list[str]
    ) -> None:
        """Set the attributes of a command; one that stands twice in it is MQ's reason to refuse
        it (C-10).
        """
        seen: set[str] = set()
        for word in words:
            name = word.name
            if name in FLAGS and not (name == "AUTHREC" and word.value):
                continue
            if name == "CHLTYPE" and target.noun == "CHANNEL":
                continue
            line = placing.line(word.line)
            if name in seen:
                message = (
                    f"{name} occurs twice in one command: MQ refuses it; the first one is used."
                )
                self.note(
                    ATTRIBUTE_TWICE,
                    Severity.ERROR,
                    message,
                    placing.at(word.line, 0),
                    f"{target.shown} {name}",
                    C_10,
                )
                doubts.append(message)
                continue
            seen.add(name)
            value = word.value
            if not name.replace("_", "").isalnum():
                self._strange(target, name, placing.at(word.line, 0), doubts)
                continue
            known = not unknown(target.noun, target.channel_type, name)
            if not known:
                self._unknown(target, name, placing.at(word.line, 0))
            if value is not None and name == "NAMES":
                value = ",".join(value.replace(",", " ").split())
            if (opposite := OPPOSITES.get(name)) is not None:
                target.attributes.pop(opposite, None)
                value = None
            target.attributes[name] = attribute(name, value or "", line, known)

    def _strange(self, target: Object, name: str, source: Source, doubts: list[str]) -> None:
        """A word that cannot be an attribute: text of a template, or something that was not
        meant.
        """
        template = is_template(name) or name.startswith(("{", "%", "$", "<"))
        message = (
            "There is text of a template among the attributes: what it sets is not known."
            if template
            else "A word here is not an attribute: MQ refuses the command. Read without it."
        )
        if message not in doubts:
            kind, severity = (
                (TEMPLATE, Severity.WARNING) if template else (STRAY_TEXT, Severity.ERROR)
            )
            self.note(kind, severity, message, source, target.shown)
            doubts.append(message)

    def _unknown(self, target: Object, name: str, source: Source) -> None:
        target.unknown.append(name)
        of = f"{target.channel_type} channel" if target.noun == "CHANNEL" else target.noun
        message = (
            f"{with_article(of, begins=True)} has no attribute {name} in any version: MQ may "
            f"refuse the whole command. It is read without an effect of {name}."
        )
        self.note(
            ATTRIBUTE_UNKNOWN, Severity.ERROR, message, source, f"{target.shown} {name}", C_10
        )

    def _set(self, parsed: Parsed, placing: Placing, source: Source, doubts: list[str]) -> None:
        """SET CHLAUTH and SET AUTHREC: kept, they do not say where messages go."""
        if parsed.noun not in ("CHLAUTH", "AUTHREC", "POLICY"):
            self.ignored += 1
            return
        made = Object(parsed.noun, parsed.name, source)
        self._apply(made, parsed.words, placing, doubts)
        made.doubts = doubts
        if not made.name:
            held = made.attributes.get("PROFILE")
            made.name = held.value if held else ""
        action = made.attributes.get("ACTION")
        made.verb = "DELETE" if action and action.value.startswith("REMOVE") else "DEFINE"
        if parsed.noun == "CHLAUTH" and action and action.value.upper() != "ADD" and not doubts:
            # REMOVE and REPLACE are of one record, REMOVEALL of all of its type. What may not be
            # run takes nothing away.
            of_type = action.value.upper() == "REMOVEALL"
            key = _record(made, of_type=of_type)
            self.rules = [one for one in self.rules if _record(one, of_type=of_type) != key]
        self.rules.append(made)
        self.done += 1

    def _other(self, parsed: Parsed, source: Source) -> None:
        """A command that defines nothing."""
        self.ignored += 1
        if parsed.verb == "STOP" and parsed.noun == "CHANNEL" and not self.from_dump:
            words = {word.name: (word.value or "").upper() for word in parsed.words}
            if not ({"CONNAME", "QMNAME"} & words.keys() or words.get("STATUS") == "INACTIVE"):
                self.stopped[parsed.name] = source
        elif parsed.verb == "START" and parsed.noun == "CHANNEL":
            self.stopped.pop(parsed.name, None)
        elif parsed.verb == "STOP" and parsed.noun == "LISTENER" and not self.from_dump:
            self.stopped_listeners[parsed.name] = source
        elif parsed.verb == "START" and parsed.noun == "LISTENER":
            self.stopped_listeners.pop(parsed.name, None)
        elif parsed.verb in ("SUSPEND", "RESUME") and parsed.noun == "QMGR":
            message = (
                f"{parsed.verb} QMGR is not followed: which of a cluster's queue managers is "
                "preferred may change by it."
            )
            self.note(COMMAND_NOT_FOLLOWED, Severity.INFO, message, source, _shown(parsed))

    def _refuse(
        self,
        kind: FindingKind,
        message: str,
        source: Source,
        parsed: Parsed,
        rule: Rule | None = None,
    ) -> None:
        self.refused += 1
        self.note(kind, Severity.ERROR, message, source, _shown(parsed), rule)

    def note(
        self,
        kind: FindingKind,
        severity: Severity,
        message: str,
        source: Source,
        excerpt: str = "",
        rule: Rule | None = None,
    ) -> None:
        """Keep a finding; ``excerpt`` has no values."""
        self.findings.append(
            kind.at(
                source, message, rule=rule or SECTION_C4, severity=severity, excerpt=excerpt[:160]
            )
        )

    def facts(self, bundle: str, whole: Source) -> Iterator[Fact]:
        """The facts of this queue manager; ``whole`` is the place of the text where nothing
        better is known.
        """
        self._templates()
        if self.configured or self.objects or self.rules or self.manager or self.statements:
            yield self._queue_manager(bundle, whole)
        for held in (*self.objects.values(), *self.rules):
            yield self._fact(held, bundle)
        for key, made in self.not_defined.items():
            if (held_ := self.objects.get(key)) is None or held_.verb == "DELETE":
                yield self._fact(replace(made, verb="REFUSED"), bundle)
        for seen in self.observed:
            yield replace(seen, server=self.name, bundle=bundle)
        yield from self._stopped(bundle)
        statements = list(dict.fromkeys(self.statements))
        if statements and self.scripted:
            source = self.at or whole
            statements.append(Statement((EVERY,), "script", source, said="a script of definitions"))
        for one in statements:
            yield one.fact(bundle, self.name)

    def _stopped(self, bundle: str) -> Iterator[Described]:
        """M-11: what a script stops stays so until somebody starts it: a channel, and a listener,
        over which nobody connects then."""
        for name, source in self.stopped.items():
            said = (Attribute("STATUS", "STOPPED", source.line),)
            yield ChannelStatus(
                bundle=bundle, server=self.name, source=source, name=name, attributes=said
            )
        for name, source in self.stopped_listeners.items():
            said = (Attribute("STATUS", "STOPPED", source.line),)
            yield OtherStatus(
                bundle=bundle,
                server=self.name,
                source=source,
                name=name,
                attributes=said,
                noun="LSSTATUS",
            )

    def _templates(self) -> None:
        """Say which objects hold text of a template where it decides about routing."""
        for held in (*self.objects.values(), *self.rules, *self.not_defined.values()):
            held.template = _templated(held.name, held.attributes)
        found = [held for held in self.objects.values() if held.verb != "DELETE" and held.template]
        for held in found[:_MOST_TEMPLATES]:
            message = (
                f"{held.shown} holds text of a template in a name: it is kept "
                "apart, and what it resolves to is not known. Import what is "
                "made of the template."
            )
            self.note(TEMPLATE, Severity.WARNING, message, held.source, f"{held.verb} {held.shown}")
        if len(found) > _MOST_TEMPLATES:
            message = (
                f"{len(found) - _MOST_TEMPLATES} more objects hold text of a template in a name."
            )
            self.note(TEMPLATE, Severity.WARNING, message, found[_MOST_TEMPLATES].source)

    def _queue_manager(self, bundle: str, whole: Source) -> QueueManager:
        doubt = " ".join(dict.fromkeys(self.manager_doubts))
        return QueueManager(
            bundle=bundle,
            server=self.name,
            source=self.where or self.at or whole,
            name=self.name,
            attributes=tuple(self.manager.values()),
            template=_templated(self.name, self.manager),
            unknown=tuple(self.manager_unknown),
            doubt=doubt,
            dump=self.is_dump,
            partial=self.manager_cut,
            named_by=self.by,
            unread=tuple(dict.fromkeys(self.unread)),
        )

    def _fact(self, held: Object, bundle: str) -> Fact:
        attributes = held.attributes
        common = {
            "bundle": bundle,
            "server": self.name,
            "source": held.source,
            "name": held.name,
            "attributes": tuple(attributes.values()),
            "verb": held.verb,
            "template": held.template or is_template(held.channel_type),
            "unknown": tuple(held.unknown),
            "like": held.like,
            "doubt": " ".join(dict.fromkeys(held.doubts)),
            "partial": held.partial,
        }
        return fact_of(held.noun, held.channel_type, common)


def _as_written(
    parsed: Parsed, channel_type: str, placing: Placing, source: Source, why: str
) -> Object:
    """The object that a command was to make which is refused for its words."""
    attributes = {
        word.name: attribute(word.name, word.value or "", placing.line(word.line))
        for word in parsed.words
        if word.name in ROUTING and word.name != "CHLTYPE"
    }
    made = Object(parsed.noun, parsed.name, source, channel_type=channel_type)
    made.attributes, made.doubts = attributes, [why]
    return made


def key_of(noun: str, name: str, channel_type: str) -> Key:
    """What is one object to MQ: all queues share one name space, and client channels have one of
    their own (C-12).
    """
    return name_space(noun, channel_type), name


def is_client_table(text: str) -> bool:
    """Whether CHLTABLE names the table of client channels, by one of the two names that versions
    have for it.
    """
    return text.upper() in ("CLNTTAB", "CLNTTBL")


_PARTNERS = ("ADDRESS", "QMNAME", "CLNTUSER", "SSLPEER", "SSLCERTI", "USERLIST")
"""Attributes that say whom a channel authentication record is about."""


def _record(one: Object, *, of_type: bool) -> tuple[str, ...]:
    """What tells one record of SET CHLAUTH from others, or those of its type from others."""
    names = ("TYPE",) if of_type else ("TYPE", *_PARTNERS)
    said = (one.attributes.get(name) for name in names)
    return one.noun, one.name, *(held.value.upper() if held else "" for held in said)


def _templated(name: str, attributes: dict[str, Attribute]) -> bool:
    return is_template(name) or any(
        is_template(each.value) for each in attributes.values() if each.name in ROUTING
    )


def _shown(parsed: Parsed) -> str:
    name = f"({parsed.name})" if parsed.named else ""
    return f"{parsed.verb} {parsed.noun}{name}".strip()
