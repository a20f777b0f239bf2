"""One document of ``kind: mqe``: a queue manager with its aliases, listeners, connections and
queues (mqe.md B4).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from topograph.digits import digits
from topograph.facts import Fact
from topograph.facts.mqe import (
    MqeAlias,
    MqeConnection,
    MqeListener,
    MqeQueue,
    MqeQueueManager,
    MqeXmitqListener,
)
from topograph.findings import Finding, Severity, Source
from topograph.importers.lexical import excerpt
from topograph.importers.mqe.vocabulary import (
    CONNECTION,
    CONNECTION_TYPES,
    FORBIDDEN,
    LISTENER,
    MODES,
    NOT_ROUTING,
    QUEUE,
    QUEUE_MANAGER,
    QUEUE_TYPES,
    SAME,
    TRUTHS,
    XMITQ_LISTENER,
)
from topograph.importers.positions.yaml_text import (
    is_list,
    is_mapping,
    items,
    members,
    place,
    scalar,
    written,
)
from topograph.rules import FindingKind
from topograph.rules.mqe_findings import (
    DOUBLED_KEY,
    DOUBLED_NAME,
    INVALID_NAME,
    NO_QUEUE_MANAGERS,
    NOT_UNDERSTOOD,
    QUEUE_MANAGER_WITHOUT_NAME,
    SECTION_B4,
    UNKNOWN_KEY,
)
from topograph.words.articles import with_article
from topograph.words.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from yaml.nodes import Node

_EXCERPT = 80


class QueueManagerDocument:
    """Reads one document. What is not understood is a finding, and its section stands in
    ``MqeQueueManager.unread``. ``unended`` says that the file may go on.
    """

    def __init__(self, file: str, bundle: str, root: Node, *, unended: bool = False) -> None:
        self.file, self.bundle, self.root, self.unended = file, bundle, root, unended
        self.name = ""
        self.facts: list[Fact] = []
        self.findings: list[Finding] = []
        self.unread: dict[str, None] = {}
        self.unsupported = 0

    def read(self) -> None:
        """Fill ``facts`` and ``findings``. Linear in the document."""
        values = self._values(self.root, QUEUE_MANAGER, {}, "")
        named = values.get("queueManager")
        self.name = scalar(named) or ""
        if not self.name or _is_template(self.name):
            text = (
                "This queue manager has no name (queueManager): nothing of this document is read."
            )
            if self.name:
                text = (
                    f"The name {self.name} is that of a template: import the file that is "
                    "made from it."
                )
            self._note(QUEUE_MANAGER_WITHOUT_NAME, Severity.ERROR, text, named or self.root)
            self.unsupported += 1
            return
        listeners = values.get("listeners")
        listens = (
            len(items(listeners)) > 0 if listeners is not None and is_list(listeners) else None
        )
        for section, entry in (
            ("listeners", self._listener),
            ("connections", self._connection),
            ("queues", self._queue),
            ("xmitqListeners", self._xmitq_listener),
        ):
            for node in self._list(values.get(section), section):
                entry(node)
        self._aliases(values.get("aliases"))
        fact = MqeQueueManager(
            bundle=self.bundle,
            server=self.name,
            source=self._source(named or self.root),
            codebase=self._word(values.get("codebase"), {"java": "java", "c": "c"}, "codebase"),
            running=self._truth(values.get("running"), "running"),
            discovery=self._truth(values.get("discovery"), "discovery"),
            bridge_enabled=self._truth(values.get("bridgeEnabled"), "bridgeEnabled"),
            listens=listens,
            unended=self.unended,
        )
        self.facts.insert(0, replace(fact, unread=tuple(self.unread)))

    def _source(self, node: Node) -> Source:
        return Source(self.file, *place(node))

    def _note(self, kind: FindingKind, severity: Severity, text: str, node: Node) -> None:
        shown = excerpt((written(node) or "")[:_EXCERPT])
        self.findings.append(
            kind.at(
                self._source(node),
                text,
                rule=SECTION_B4,
                severity=severity,
                server=self.name,
                excerpt=shown,
            )
        )

    def _lost(self, section: str, text: str, node: Node) -> None:
        """Something of a section is not understood."""
        self.unread[section] = None
        self.unsupported += 1
        self._note(
            NOT_UNDERSTOOD,
            Severity.ERROR,
            f"{text} It is left out: answers about {section} of {self.name} are incomplete.",
            node,
        )

    def _values(
        self, node: Node, known: Collection[str], same: Mapping[str, str], section: str
    ) -> dict[str, Node]:
        """The members of a mapping by key; unknown and doubled keys are findings, of doubled
        ones the last counts.
        """
        found: dict[str, Node] = {}
        for key, value in members(node):
            text = scalar(key) or ""
            name = same.get(text, text)
            if name in NOT_ROUTING and name not in known:
                continue
            if name not in known:
                hint = did_you_mean(text, known)
                self._note(
                    UNKNOWN_KEY,
                    Severity.WARNING,
                    f"The key {text!r} is not known and has no effect.{hint}",
                    key,
                )
                self.unsupported += 1
                if section != "listeners":
                    self.unread[section or text] = None
                continue
            if name in found:
                self._note(
                    DOUBLED_KEY,
                    Severity.ERROR,
                    f"{text} occurs twice; the later one counts.",
                    key,
                )
            found[name] = value
        return found

    def _list(self, node: Node | None, section: str) -> Iterator[Node]:
        """The mappings of a list."""
        if node is None or (scalar(node) is None and not is_list(node) and not is_mapping(node)):
            return
        if not is_list(node):
            self._lost(section, f"{section} has to be a list.", node)
            return
        for one in items(node):
            if is_mapping(one):
                yield one
            else:
                self._lost(
                    section, f"An entry of {section} has to be a mapping of keys and values.", one
                )

    def _fact(self, kind: Callable[..., Fact], node: Node, **fields: Any) -> None:
        self.facts.append(
            kind(bundle=self.bundle, server=self.name, source=self._source(node), **fields)
        )

    def _text(self, values: Mapping[str, Node], key: str, section: str) -> str | None:
        """The text of a key, empty where it is not there; None if it is not understood (then
        said).
        """
        node = values.get(key)
        if node is None or (scalar(node) is None and written(node) is not None):
            return ""
        text = scalar(node)
        if text is None:
            self._lost(section, f"{key} has to be a single value.", node)
        elif _is_template(text):
            self._lost(
                section,
                f"{key} holds text of a template: import the file that is made from it.",
                node,
            )
            return None
        return text

    def _texts(self, values: Mapping[str, Node], key: str, section: str) -> tuple[str, ...]:
        """A list of names, or a single one."""
        node = values.get(key)
        if node is None:
            return ()
        found: list[str] = []
        for one in items(node) if is_list(node) else [node]:
            text = scalar(one)
            if text is None and written(one) is not None:
                continue
            if text is None or _is_template(text):
                self._lost(section, f"{key} has to be a list of names.", one)
            elif text in found:
                self._note(DOUBLED_NAME, Severity.WARNING, f"{text} occurs twice in {key}.", one)
            else:
                found.append(text)
        return tuple(found)

    def _word(
        self, node: Node | None, words: Mapping[str, str], key: str, section: str = ""
    ) -> str:
        """One of the words of a key; empty where it is not stated, or not understood (then
        said).
        """
        text = scalar(node)
        if node is None or (text is None and written(node) is not None):
            return ""
        word = words.get((text or "").lower().replace("_", "").replace("-", ""))
        if word is None:
            known = ", ".join(dict.fromkeys(words.values()))
            self._lost(section or key, f"{key} has to be one of {known}.", node)
        return word or ""

    def _truth(self, node: Node | None, key: str) -> bool | None:
        text = scalar(node)
        if node is None or (text is None and written(node) is not None):
            return None
        found = TRUTHS.get((text or "").lower())
        if found is None:
            self._lost(key, f"{key} has to be true or false.", node)
        return found

    def _listener(self, node: Node) -> None:
        values = self._values(node, LISTENER, SAME, "listeners")
        fields = {key: self._text(values, key, "listeners") or "" for key in LISTENER}
        self._fact(MqeListener, node, **fields)

    def _xmitq_listener(self, node: Node) -> None:
        values = self._values(node, XMITQ_LISTENER, {}, "xmitqListeners")
        manager, queue = (
            self._text(values, key, "xmitqListeners") for key in ("mqQueueManager", "xmitq")
        )
        if manager and queue:
            self._fact(MqeXmitqListener, node, mq_queue_manager=manager, xmitq=queue)
        elif manager is not None and queue is not None:
            self._lost(
                "xmitqListeners",
                "A transmission-queue listener needs mqQueueManager and xmitq.",
                node,
            )

    def _aliases(self, node: Node | None) -> None:
        if node is None or (scalar(node) is None and written(node) is not None):
            return
        if not is_mapping(node):
            self._lost("aliases", "aliases has to map names to queue managers.", node)
        for key, value in members(node):
            name, target = scalar(key), scalar(value)
            if not name or not target or _is_template(name) or _is_template(target):
                self._lost(
                    "aliases",
                    "An alias is a name and the queue manager (or alias) that it stands for.",
                    key,
                )
            else:
                self._fact(MqeAlias, key, name=name, target=target)

    def _connection(self, node: Node) -> None:
        values = self._values(node, CONNECTION, SAME, "connections")
        lost = len(self.findings), self.unsupported
        type_ = self._word(values.get("type"), CONNECTION_TYPES, "type", "connections")
        keys = ("name", "target", "via", "address", "port", "adapter", "channel")
        fields = {key: self._text(values, key, "connections") or "" for key in keys}
        if self.unsupported > lost[1]:
            return
        type_ = type_ or ("alias" if fields["target"] else "via" if fields["via"] else "direct")
        target = fields.pop("target")
        needed = {"alias": ("target", target), "via": ("via", fields["via"])}.get(type_, ("", "-"))
        if not fields["name"] or not needed[1]:
            key = needed[0] if fields["name"] else "name"
            self._lost("connections", f"This {type_} connection has no {key}.", node)
        elif type_ == "alias":
            self._fact(MqeAlias, node, name=fields["name"], target=target)
        else:
            self._fact(MqeConnection, node, type=type_, **fields)

    def _queue(self, node: Node) -> None:
        values = self._values(node, QUEUE, SAME, "queues")
        before = self.unsupported
        type_ = self._word(values.get("type"), QUEUE_TYPES, "type", "queues")
        texts = {
            key: self._text(values, key, "queues") or ""
            for key in ("name", "qmgr", "forwardTo", "homeServer")
        }
        mode = self._word(values.get("mode"), MODES, "mode", "queues")
        timer = self._timer(values)
        aliases, qmgrs = (self._texts(values, key, "queues") for key in ("aliases", "qmgrs"))
        if self.unsupported > before:
            return
        needed = {"remote": "qmgr", "bridge": "qmgr", "home": "homeServer"}.get(type_, "name")
        missing = next((key for key in ("name", needed) if not texts[key]), "" if type_ else "type")
        if missing:
            self._lost(
                "queues",
                f"This {type_} queue has no {missing}." if type_ else "This queue has no type.",
                node,
            )
            return
        if type_ in ("local", "admin") and texts["qmgr"] not in ("", self.name):
            self._lost(
                "queues",
                f"{with_article(type_, begins=True)} queue of {self.name} cannot be one "
                f"of {texts['qmgr']}.",
                node,
            )
            return
        if wrong := "".join(sorted(FORBIDDEN & set(texts["name"]))):
            self._note(
                INVALID_NAME,
                Severity.ERROR,
                f"The name {texts['name']} has characters that no queue may have: {wrong}. It is "
                f"left out: answers about queues of {self.name} are incomplete.",
                node,
            )
            self.unread["queues"] = None
            self.unsupported += 1
            return
        if type_ == "saf" and not qmgrs:
            self._note(
                NO_QUEUE_MANAGERS,
                Severity.WARNING,
                f"{texts['name']} lists no queue managers: it accepts no message.",
                node,
            )
        self._fact(
            MqeQueue,
            node,
            name=texts["name"],
            type=type_,
            qmgr=texts["qmgr"] if type_ in ("remote", "bridge") else "",
            mode=mode if type_ == "remote" else "",
            aliases=aliases if type_ not in ("saf", "home") else (),
            qmgrs=qmgrs if type_ == "saf" else (),
            forward_to=texts["forwardTo"] if type_ == "saf" else "",
            home_server=texts["homeServer"] if type_ == "home" else "",
            timer=timer if type_ == "home" else None,
        )

    def _timer(self, values: Mapping[str, Node]) -> int | None:
        text = self._text(values, "timer", "queues")
        if not text:
            return None
        found = digits(text)
        if found is None:
            self._lost("queues", "timer has to be a number of milliseconds.", values["timer"])
            return None
        return found


def _is_template(text: str) -> bool:
    """Whether a value is still to be filled in."""
    return "{{" in text or "${" in text or "<%" in text
