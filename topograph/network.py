"""From files or a snapshot to answers, in one process and without Spark: ``read``, ``open`` and the
``Network`` they give.

>>> import topograph                                        # doctest: +SKIP
>>> network = topograph.read("examples/orders")             # doctest: +SKIP
>>> network.reach("HUB").unreachable                        # doctest: +SKIP
()
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from topograph.engines import Engine
from topograph.engines.memory import MemoryEngine
from topograph.errors import InputError, UnknownDestination, UsageError
from topograph.files import names_file
from topograph.forwarding.graph import ForwardingGraph
from topograph.message import Message, MessageOptions
from topograph.opening.models import EngineChoice, model_of, open_model
from topograph.opening.selection import EVERYTHING, Selection
from topograph.process.packages import installed
from topograph.questions.methods import QuestionMethods
from topograph.questions.model import Model
from topograph.rules.unnumbered import PART_OF_NETWORK
from topograph.store.layouts import KeptLayout, read_layout
from topograph.store.snapshot import Snapshot

if TYPE_CHECKING:
    import networkx

    from topograph.audit import GivenScript, Policies, Policy
    from topograph.audit.saved import SavedChange
    from topograph.forwarding.descriptions import MessageGuards
    from topograph.message import Properties
    from topograph.questions.answers import (
        Answer,
        AuditAnswer,
        Caution,
        CheckAnswer,
        HopsMatrixAnswer,
        PropagateAnswer,
        ShowAnswer,
        TraceAnswer,
    )
    from topograph.questions.reach import HopRow, HopText
    from topograph.side_inputs import Client
    from topograph.viz.report.page import ReportPage
    from topograph.viz.scene.records import Scene
    from topograph.viz.view import View


class Network(QuestionMethods):
    """One network of one snapshot, ready to be asked. Questions never change it.

    Made by ``read`` and ``open``; every method returns a frozen answer of
    ``topograph.questions.answers``. The methods that only ask are those of ``QuestionMethods``,
    which is made of the records of questions.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    def __repr__(self) -> str:
        servers = len(self.server_names())
        counted = f"{servers:,} server{'' if servers == 1 else 's'}"
        return (
            f"<Network {self.name!r}: {counted}, snapshot {self.snapshot_id}, engine "
            f"{self.engine_name}>"
        )

    @property
    def name(self) -> str:
        """The network's name in its snapshot."""
        return self._model.network

    @property
    def snapshot_id(self) -> str:
        """The id that every answer names."""
        return self._model.snapshot

    @property
    def engine_name(self) -> str:
        """``memory`` or ``neo4j``: the engine that walks."""
        return self._model.parts[0].engine.name if self._model.parts else "memory"

    @property
    def advice(self) -> tuple[str, ...]:
        """Of a network of one server, what to load to see the others, where its files say that
        there are some. Reads the findings of such a network alone."""
        if self._model.has_several_servers:
            return ()
        found = self._model.findings
        return tuple(one.message for one in found if one.kind == PART_OF_NETWORK.kind)

    @property
    def unreadable_files(self) -> tuple[str, ...]:
        """The main files that could not be read, by path, of a folder of configuration that was
        opened: nothing is known of their servers.
        """
        return self._model.unreadable

    def within(self, seconds: float | None) -> Network:
        """The same network with other seconds for each question (10 unless said otherwise; None:
        any time). An answer that was cut has ``exact`` False.

        Raises UsageError for anything but a positive number."""
        if seconds is not None and not 0 < seconds < math.inf:
            raise UsageError(f"A budget is a positive number of seconds, not {seconds!r}.")
        return Network(replace(self._model, seconds=seconds))

    def with_layout(self, layout: str | os.PathLike[str]) -> Network:
        """The same network with pictures that start from the places in a file that "Save places"
        in a page wrote: servers named there stand there, the others beside their neighbours.
        Names that the network does not have are a warning in each picture. Raises InputError."""
        given = read_layout(layout)
        return Network(replace(self._model, layout=KeptLayout(given=given, name=os.fspath(layout))))

    def cypher_ran(self) -> tuple[str, ...]:
        """The Cypher statements that the questions asked so far ran, each with the parameters of
        its first run, to be pasted into Neo4j Browser; none where memory answered."""
        from topograph import cypher
        from topograph.store.statements import as_pasted

        return tuple(
            (
                f"// run {ran.times} "
                f"time{'' if ran.times == 1 else 's'}\n{as_pasted(cypher.text(ran.statement), ran.parameters)}"  # noqa: E501
            )
            for part in self._model.parts
            for ran in part.engine.ran()
        )

    def server_names(self) -> tuple[str, ...]:
        """All servers and routers by name, those included that are only named by others."""
        return self._model.server_names()

    def servers_called(self, text: str) -> tuple[str, ...]:
        """The servers that a text stands for: a name, a host of topograph.yaml, a pattern
        (``HQ*``), or several of them with commas between. Raises UnknownServer."""
        from topograph.questions.server_patterns import matching

        return matching(self._model, text)

    def hops_matrix(self) -> HopsMatrixAnswer:
        """Hops between all servers; above 2,000 servers use ``hop_rows``."""
        from topograph.questions import reach

        return reach.hops_matrix(self._model)

    def hops_head(self) -> HopsMatrixAnswer:
        """``hops_matrix`` without its rows, for use with ``hop_rows``."""
        from topograph.questions import reach

        return reach.hops_head(self._model)

    def hop_rows(self) -> Iterator[tuple[str, HopRow]]:
        """The rows of the hop matrix one by one, in bounded memory: (server, hops to every
        server of ``server_names()``; None where not certainly reached, ``"unknown"`` where the
        budget ended first). ``later`` of a row names the servers that messages get to later."""
        from topograph.questions import reach

        return reach.hop_rows(self._model)

    def hop_texts(self) -> Iterator[HopText]:
        """The rows of ``hop_rows``, each written as JSON: in a fifth of the time."""
        from topograph.questions import reach

        return reach.hop_texts(self._model)

    def rows_cut(self, unknown: int, left_out: int = 0) -> tuple[Caution, ...]:
        """What is said of a hop matrix of which so many rows hold ``"unknown"``, for use with
        ``hop_rows``.
        """
        from topograph.questions import reach

        return reach.rows_cut(self._model, unknown, left_out)

    def propagate(
        self,
        from_: str,
        destination: str | Message,
        properties: Properties | None = None,
        *,
        subscribers: str | Sequence[str] = (),
        clients: Sequence[Client] = (),
        user: str = "",
        assume: bool = True,
        **options: Unpack[MessageOptions],
    ) -> PropagateAnswer:
        """Who gets a message published at ``from_`` to ``destination`` (``topic:NAME``, or a whole
        ``Message``), who does not and why.

        ``options`` are what the sender says beside (``topograph.message.MessageOptions``). Of a
        redacted snapshot ``user`` and ``clients`` may be given by name where its key is at hand,
        else by token. Raises UsageError.
        """
        from topograph.questions import propagate

        sent = _message(self._model, from_, destination, properties, user, options)
        message, clients = self._as_kept(sent, clients)
        return propagate.propagate(
            self._model, from_, message, subscribers=subscribers, clients=clients, assume=assume
        )

    def trace(
        self,
        from_: str,
        destination: str | Message,
        properties: Properties | None = None,
        *,
        subscribers: str | Sequence[str] = (),
        clients: Sequence[Client] = (),
        user: str = "",
        reply: bool = False,
        **options: Unpack[MessageOptions],
    ) -> TraceAnswer:
        """What happens to one message sent at ``from_``, step by step; how each copy ends.
        Parameters as for ``propagate``; with ``reply`` also what happens to the reply, from each
        place where the message is taken (NotApplicable where the system does not follow
        replies)."""
        from topograph.questions import trace

        sent = _message(self._model, from_, destination, properties, user, options)
        message, clients = self._as_kept(sent, clients)
        return trace.trace(
            self._model, from_, message, subscribers=subscribers, clients=clients, reply=reply
        )

    def message_guards(
        self,
        from_: str,
        destination: str,
        properties: Properties | None = None,
        *,
        subscribers: str | Sequence[str] = (),
        user: str = "",
    ) -> MessageGuards:
        """What a message published at ``from_`` finds closed, for the statement ``propagate`` of
        ``cypher/questions``. ``user`` as for ``propagate``."""
        from topograph.questions.message_guards import message_guards

        sent = _message(self._model, from_, destination, properties, user, {})
        message, _ = self._as_kept(sent, ())
        return message_guards(self._model, from_, message, subscribers=subscribers)

    def audit(
        self,
        change: str | os.PathLike[str] | Sequence[GivenScript],
        at: str | None = None,
        down: str | Sequence[str] = (),
        policy: Policies = (),
    ) -> AuditAnswer:
        """What a change script would do, command by command, and whether it should go in.
        ``change`` is the path of a script or its text (a text that names no file), or several
        scripts; ``at`` the server that it is given to, where it does not say so itself. ``down``
        are routes (``route:A-B``) that are down at the moment. ``policy`` is what has to hold
        afterwards (docs/policies.md): the path of a YAML file or its text, or several. Nothing is
        written anywhere.

        Raises InputError for a policy file with a mistake in it, UsageError where the script
        names no server, UnknownServer, NotApplicable where the network takes no commands."""
        from topograph.audit import audit

        return audit(self._model, _given(change, at), down, self._policies(policy))

    def saved_change(
        self,
        change: str | os.PathLike[str] | Sequence[GivenScript],
        at: str | None = None,
        down: str | Sequence[str] = (),
        judged: AuditAnswer | None = None,
    ) -> SavedChange:
        """A change as it can be kept in a file (``SavedChange.written``) and judged again by
        ``replay``: its scripts without secrets and comments, and the verdict. ``judged`` is the
        answer of ``audit`` on it, where that was asked already. Parameters and errors as for
        ``audit``."""
        from topograph.audit import audit
        from topograph.audit.saved import change_of

        given = _given(change, at)
        return change_of(
            self._model, given, down, audit(self._model, given, down) if judged is None else judged
        )

    def replay(
        self,
        change: SavedChange | str | os.PathLike[str],
        after: str | os.PathLike[str] | Network | None = None,
        down: str | Sequence[str] | None = None,
    ) -> AuditAnswer:
        """A saved change (or its file), judged again on this network; with ``after`` compared with
        what is there once it went in: this network is then that of before, and the answer lists
        what of the change is missing and what was changed as well. ``down`` replaces the routes
        that were down.

        Raises InputError for a file that is not a saved change, UsageError where secrets were
        left out that the commands need; else as ``audit``."""
        from topograph.audit import audit
        from topograph.audit.replaying import compare_with
        from topograph.audit.saved import SavedChange, read_change

        if not isinstance(change, SavedChange):
            file = os.fspath(change)
            try:
                change = read_change(Path(file).read_bytes(), file)
            except OSError as error:
                raise InputError(f"{file} cannot be read: {error.strerror}.") from error
        links = change.down if down is None else down
        if after is None:
            return change.beside_its_verdict(audit(self._model, change.given(), links))
        later = after if isinstance(after, Network) else open(after, engine="memory")
        return compare_with(self._model, change.given(), later._model, links)

    def _policies(self, policy: Policies) -> Sequence[Policy]:
        """Policies that a person wrote, with users as the snapshot names them. Raises
        InputError.
        """
        from topograph.audit import policies_of

        found = policies_of(policy)
        return [
            one if one.message is None else replace(one, message=self._as_kept(one.message, ())[0])
            for one in found
        ]

    def _as_kept(
        self, message: Message, clients: Sequence[Client]
    ) -> tuple[Message, Sequence[Client]]:
        """A message and clients that a person names, as the snapshot names them."""
        if not self._model.redaction:
            return message, clients
        from topograph.redaction.question_tokens import as_redacted, user_as_redacted

        servers = frozenset(self.server_names())
        kept = [as_redacted(client, self._model.redaction, servers) for client in clients]
        return replace(
            message, user=user_as_redacted(message.user, self._model.redaction, servers)
        ), kept

    def check(
        self,
        *,
        server: str = "",
        rule: str = "",
        severity: str | None = None,
        baseline: str | os.PathLike[str] | None = None,
    ) -> CheckAnswer:
        """The findings of the import and of the lint rules, worst first: all, or those at a
        ``server``, of a ``rule`` (``TL-20``, its name, or a kind of finding), of a ``severity``
        (``error``, ``warning``, ``info``) or worse. Those that the file ``baseline`` has are not
        counted, and those that a waiver fits which holds today. Raises UnknownServer, UsageError;
        InputError for a file that is not a baseline."""
        from topograph.questions import check
        from topograph.questions.baseline import read_file

        known = None if baseline is None else read_file(os.fspath(baseline))
        return check.check(
            self._model,
            server=server,
            rule=rule,
            severity=severity or "",
            baseline=known,
        )

    def baseline(self) -> str:
        """The findings of today as the text of a baseline, for ``check(baseline=FILE)``: without
        those that are waived. n log n in the findings.
        """
        from topograph.questions import baseline, check

        return baseline.written(check.counting(self._model))

    def to_networkx(self, *, points: bool = False) -> networkx.DiGraph[str]:
        """The network as a networkx graph: servers and links (a MultiDiGraph), or with
        ``points`` the forwarding graph, in which reachability from ``SERVER|origin`` is reach.
        Linear in links, or in forwards."""
        from topograph.interop.networkx import points_graph, servers_graph

        with installed():
            graphs = [part.graph for part in self._model.parts]
            return points_graph(graphs) if points else servers_graph(self._model)

    def scene(
        self,
        answer: Answer | None = None,
        *,
        around: str | Sequence[str] = (),
        depth: int | None = None,
        whole: bool = False,
    ) -> Scene:
        """The picture of an answer of this network, or of the network itself, as data: what is
        drawn, where, and with what evidence.

        ``around`` and ``depth`` keep the servers within ``depth`` links of those named. A network
        of more than 20,000 servers is drawn in part, and the scene says which, unless ``whole`` is
        asked for. Raises UnknownServer, and UsageError for an answer that has no picture.
        """
        from topograph.viz.scene.estates import scene_of

        return scene_of(self._model, answer, around=around, depth=depth, whole=whole)

    def view(
        self,
        answer: Answer | None = None,
        *,
        around: str | Sequence[str] = (),
        depth: int | None = None,
    ) -> View:
        """The same picture as a ``pyvis.network.Network`` to go on with; a notebook shows it.
        See ``scene`` for arguments and errors.
        """
        with installed():
            from topograph.viz.view import View
        from topograph.viz.page.form import form_of

        scene = self.scene(answer, around=around, depth=depth)
        return View(scene, make_form=partial(form_of, self._model, scene))

    def page(self, scene: Scene) -> str:
        """A picture of this network (``scene``) as one HTML file that works offline. It answers
        questions too, where it has the whole network. ``view`` gives the same page, to go on
        with in Python."""
        from topograph.viz.page import page_of
        from topograph.viz.page.form import form_of

        return page_of(scene, form_of(self._model, scene))

    def report(
        self,
        audit: AuditAnswer | None = None,
        answers: Sequence[Answer | tuple[str, Mapping[str, object]]] = (),
        options: Sequence[str] = (),
        answer_budget: int | None = None,
    ) -> ReportPage:
        """The network as one HTML file for somebody else: what is wrong with it and what to do
        first, and everything that this rests on (docs/report.md).

        ``write_html`` writes it; ``topology`` is its picture as a ``pyvis.network.Network``, and
        what is set there wins. ``audit`` is an answer of ``audit`` of this network, or of
        ``compare`` with a later state of it: what changes is then its first section, and drawn.
        ``answers`` are further ones, as sections: answers, or (name, JSON) of what a command wrote
        with ``--format json``. ``options`` are words of the command that the report says it was
        made by. ``answer_budget`` is the most answers that are worked out for what the page does
        not decide itself; None for as many as the command works out.

        Raises UsageError where this network is redacted and an answer is not."""
        from topograph.forwarding.budget import DEFAULT_ANSWERS
        from topograph.portable import engine_data
        from topograph.reporting import collect
        from topograph.reporting.provenance import where
        from topograph.viz.layout.places import unknown_names
        from topograph.viz.report.page import ReportPage

        given = [
            one if isinstance(one, tuple) else (one.question, one.to_dict()) for one in answers
        ]
        scene = self.scene(audit)
        still = self.scene(audit, whole=True) if scene.hidden else scene
        collected = collect(self._model, options, audit, given, unknown_names(self._model))
        most = DEFAULT_ANSWERS if answer_budget is None else answer_budget
        return ReportPage(
            collected, scene, still, engine_data(self._model, where(self._model), most)
        )

    def show(
        self, what: str, destination: str = "", *, user: str = "", server: str = ""
    ) -> ShowAnswer:
        """What is loaded: servers, routes, links, bridges, durables, subscribers, factories,
        findings, files, ... (the choices of the command), of one ``server`` if it is named. Of
        ``access`` what concerns one ``destination`` (``topic:NAME``, ``queue:NAME``), for
        everybody or one ``user``. Raises UsageError, UnknownServer."""
        from topograph.questions import show

        if user and self._model.redaction:
            from topograph.redaction.question_tokens import user_as_redacted

            user = user_as_redacted(user, self._model.redaction, frozenset(self.server_names()))
        return show.show(self._model, what, destination, user=user, server=server)


def read(
    path: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
    *,
    strict: bool = False,
    redact: bool = False,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Network:
    """Read a folder (or one file) of configuration as one network, in this process.

    ``config`` is a topograph.yaml; without it, one at the root of the folder is used. ``strict``
    makes quote hazards errors (ems.md 3.1). ``redact`` replaces hosts, users and client ids by
    stable tokens (docs/redaction.md). ``include`` and ``exclude`` are patterns as in ``.gitignore``
    of the files that are read or left out (docs/folders.md). Raises InputError if there is nothing
    to read or no server or router was recognised, UsageError for a redaction key or a pattern that
    cannot be used. Linear in the files.
    """
    from topograph.opening.folders import read_snapshot

    chosen = Selection(tuple(include), tuple(exclude))
    snapshot = read_snapshot(path, config, strict=strict, redact=redact, chosen=chosen)
    model = model_of(snapshot, snapshot.networks[0])
    return Network(replace(model, asked_as="" if redact else os.fspath(path)))


def open(  # noqa: A001
    snapshot: str | os.PathLike[str],
    network: str | None = None,
    engine: EngineChoice = "auto",
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Network:
    """Open a network of a snapshot: a directory that ``topograph import`` wrote, or ``neo4j:ID``;
    or of a folder or archive of configuration, or ``REV:FOLDER``, a folder in a git commit, which
    is read in this process unless the cache holds a reading of the same content
    (docs/environment.md).

    ``engine="auto"`` walks in Neo4j if one is configured or the managed server runs and it holds
    this snapshot, else (and for configuration) in memory. ``include`` and ``exclude`` as for
    ``read``, of configuration alone. Raises SnapshotNotFound,
    SnapshotIncomplete, UnknownNetwork, DatabaseUnavailable, SnapshotNotPublished, UsageError.
    """
    chosen = Selection(tuple(include), tuple(exclude))
    return open_network(os.fspath(snapshot), network, engine, chosen)


def compare(
    before: str | os.PathLike[str] | Network,
    after: str | os.PathLike[str] | Network,
    policy: Policies = (),
) -> AuditAnswer:
    """What is different between two states of a network: snapshots, folders of configuration, git
    revisions (``HEAD~1:conf``), or networks that are open. ``policy`` as for ``Network.audit``: it
    is judged on the later state.

    Raises what ``open`` raises, InputError for a policy file with a mistake in it, and
    UsageError where the two have no system in common."""
    from topograph.audit import compare

    was, now = (
        one if isinstance(one, Network) else open(one, engine="memory") for one in (before, after)
    )
    return compare(was._model, now._model, now._policies(policy))


def _given(
    change: str | os.PathLike[str] | Sequence[GivenScript], at: str | None
) -> list[GivenScript]:
    """The scripts that ``audit`` takes."""
    from topograph.audit import GivenScript, named

    if isinstance(change, str) and ("\n" in change or not names_file(change)):
        return [GivenScript(change.encode(), "change", at)]
    if isinstance(change, (str, os.PathLike)):
        return [GivenScript(Path(change).read_bytes(), named(Path(change)), at)]
    return list(change)


def _message(
    model: Model,
    from_: str,
    destination: str | Message,
    properties: Properties | None,
    user: str,
    options: MessageOptions,
) -> Message:
    if isinstance(destination, Message):
        return destination
    try:
        return Message.to(destination, properties, user=user, **options)
    except UnknownDestination as unknown:
        from topograph.questions.following import fitting

        raise fitting(model, from_, unknown) from None


def open_network(
    snapshot: str,
    network: str | None = None,
    engine: EngineChoice = "auto",
    chosen: Selection = EVERYTHING,
) -> Network:
    """See ``open``."""
    return Network(open_model(snapshot, network, engine, chosen))


def network_of(
    snapshot: Snapshot, name: str, engine_for: Callable[[ForwardingGraph], Engine] = MemoryEngine
) -> Network:
    """One network of any snapshot, walked by the engines that ``engine_for`` makes."""
    return Network(model_of(snapshot, name, engine_for))
