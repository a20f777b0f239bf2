"""``run_import``: the whole way from files to a snapshot, and to Neo4j, on Spark (DESIGN section
2.4).

The driver lists, plans and commits; workers recognise files, read bundles, compile networks and
walk for interests. Workers write the tables as Parquet into the run's folder and only tell the
driver what they wrote.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from topograph import extensions
from topograph.errors import (
    NO_ROOM,
    BackendError,
    DatabaseUnavailable,
    InputError,
    UsageError,
    no_room,
)
from topograph.files import FileReport, tally
from topograph.findings import Finding, count_by_severity, distinct
from topograph.importers.plan import FOUNDING, plan, recognise
from topograph.importers.reading import Options, Plan, Recognised
from topograph.local_paths import check_local
from topograph.opening.inputs import (
    GONE,
    chosen_files,
    gone_report,
    gone_since,
    not_read,
    nothing_recognised,
    side_inputs_for,
    unreadable_mains,
)
from topograph.opening.selection import EVERYTHING, Selection
from topograph.pipeline import tasks
from topograph.pipeline.import_report import ImportReport, NetworkReport
from topograph.pipeline.neo4j_sink import publish, target_of
from topograph.pipeline.output import Run, begin_run, commit, sweep, write_table
from topograph.pipeline.session import (
    fault_of_worker,
    lasting_folder,
    quiet_pandas,
    safe_workers,
    ship_package,
    spark_errors,
    spark_starting,
    spread,
)
from topograph.process.garbage import collector_paused
from topograph.process.internal_errors import InternalError
from topograph.process.interrupts import Interrupts, remembered
from topograph.side_inputs import SideInputs
from topograph.store.database import connect
from topograph.store.homes import home
from topograph.store.identity import NetworkInputs, snapshot_id
from topograph.store.listing import InputFile, Listing, list_inputs, network_name, read_bytes
from topograph.store.parquet import Manifest, NetworkEntry, ParquetSnapshot, TableFile
from topograph.store.publication import fits, not_published
from topograph.store.reports import keep_reports
from topograph.store.tables import from_arrow, in_order, to_arrow
from topograph.systems import has_checks_apart

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext
    from pyspark.sql import SparkSession

    from topograph.redaction.key import Key
    from topograph.redaction.redactor import Redactor
    from topograph.store.where import DatabaseAddress

INTERESTS_LIMIT = 1_000_000
"""Above this many (server, name) pairs the implied interests are not written; each is one walk
when asked for (DESIGN section 2.3).
"""

_CHUNK = 128
"""Files or bundles that one row stands for at most: what one worker takes at a time, so that
members of one archive stay together.
"""

_CHUNK_BYTES = 2**20
"""Bytes of files after which a row ends: large ones are divided among the cores one by one."""

_CHUNKS_PER_CORE = 2
"""Rows a core where there is little to do: a task costs more than a hundred small files."""

_SOURCES_PER_TASK = 64

_APART = 20_000
"""Facts of a network from which on checks that need nothing compiled run in a process of their own
beside its compiling: of fewer, they take less time than such a process.
"""

Progress = Callable[[str], None]
Item = TypeVar("Item")


@dataclass
class _Network:
    """One network on its way through the import."""

    name: str
    root: Path
    listing: Listing
    inputs: tuple[InputFile, ...]
    side_inputs: SideInputs
    findings: list[Finding]
    reports: list[FileReport]
    skipped: dict[str, str]
    """``Listing.skipped``."""
    digests: dict[str, str] = field(default_factory=dict)
    plan: Plan = field(default_factory=lambda: Plan(()))
    counts: tuple[tasks.SystemCounts, ...] = ()
    systems: tuple[str, ...] = ()
    errors: tuple[InternalError, ...] = ()
    interests: bool = True
    """Whether its implied interests could be worked out."""
    gone: dict[str, str] = field(default_factory=dict)
    """Files that were listed and could not be read."""
    redactor: Redactor | None = None
    redacted: NetworkInputs | None = None
    """What ``identity`` gave, redacted."""

    def identity(self) -> NetworkInputs:
        """What the network's part of the snapshot's id follows from."""
        return NetworkInputs(self.digests, {**self.skipped, **self.gone}, self.side_inputs)

    def forget_files(self) -> None:
        """Give up the records of files, of which there may be millions: once all are read, only
        their digests and the reports about them are needed."""
        self.inputs, self.plan = (), Plan(())
        self.listing = replace(self.listing, files=())


def run_import(
    paths: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    network: str | None = None,
    config: str | os.PathLike[str] | None = None,
    master: str | None = None,
    neo4j: str = "auto",
    strict: bool = False,
    redact: bool = False,
    chosen: Selection = EVERYTHING,
    settings: Mapping[str, str] | None = None,
    spark: SparkSession | None = None,
    progress: Progress = lambda _: None,
    begun: Progress = lambda _: None,
) -> ImportReport:
    """Import configuration files into the snapshot at ``output``; each path becomes one network,
    named after its last component.

    ``network`` names the network of a single path. ``config`` is the topograph.yaml of all
    networks; without it each uses the one at its root. ``master`` and ``settings`` are a Spark
    master URL and Spark properties; ``spark`` a session to use instead of an own one. ``neo4j`` is
    ``auto`` (publish if a server is configured or the managed one runs), ``none`` or a URI.
    ``progress`` takes a line per stage when it is over, ``begun`` its name when it begins.

    ``chosen`` are patterns of files that are left out, or let in, beside those in the folders.
    ``redact`` replaces hosts, users and client ids by stable tokens before anything is written
    (docs/redaction.md); configurations are then read twice, for what stands in one of them is
    replaced in all.

    A snapshot that is there answers until the new one is complete. Raises UsageError for names that
    clash and for a URL in place of a path, InputError for a path that cannot be read or holds no
    main file, BackendError where Spark or Neo4j fails. Linear in the files; the driver holds a
    short record of every file and all findings, a worker one network's facts at a time.
    """
    check_local(*paths, output, config)
    watch = _Watch(progress, begun)
    key = _redaction_key(progress) if redact else None
    target = Path(output).absolute()
    address = _reachable(neo4j)
    named = _names(paths, network)
    log = _log_file()
    run: Run | None = None
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(quiet_pandas())
            spark_context = _spark_of(spark, log, master, settings, watch, stack)
            networks = _list(named, target, config, watch, key, chosen)
            run = begin_run(target)
            for listed in networks:
                _refuse_without_main(listed, key)
            sweep(target)
            context = spark_context()
            interrupts = stack.enter_context(remembered())
            work = _Import(
                context,
                _session_of(context, spark),
                run,
                networks,
                Options(strict=strict),
                watch,
                log,
                interrupts,
                key,
                named=network is not None,
            )
            report = work.do()
            if address is not None:
                report = work.publish(report, address, os.fspath(output))
    except BaseException as error:
        # What Spark logs of its work may quote what was to be redacted.
        _discard(run, log, error, may_quote=key is not None and spark is not None)
        _check_room(error, output)
        raise
    sweep(target)
    run.lease.release()
    log.unlink(missing_ok=True)
    return report


def _check_room(error: BaseException, output: str | os.PathLike[str]) -> None:
    """Raises BackendError in place of an error of a full disk."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        raise BackendError(no_room(error, os.fspath(output))) from error


def _spark_of(
    given: SparkSession | None,
    log: Path,
    master: str | None,
    settings: Mapping[str, str] | None,
    watch: _Watch,
    stack: contextlib.ExitStack,
) -> Callable[[], SparkContext]:
    """The Spark of an import, as a function that waits for it: that of the ``given`` session, else
    one of its own, whose Java starts now.
    """
    if given is None:
        starting = stack.enter_context(spark_starting(log, master=master, settings=settings))

        def started() -> SparkContext:
            with watch.stage("Starting Spark"):
                return starting()

        return started

    def prepared() -> SparkContext:
        context = given.sparkContext
        stack.enter_context(safe_workers(context))
        ship_package(context, lasting_folder())
        stack.callback(_cancelled_if_interrupted, context)
        return context

    return prepared


def _cancelled_if_interrupted(context: SparkContext) -> None:
    """A session that goes on after an import that was interrupted must not go on with its work."""
    if isinstance(sys.exc_info()[1], KeyboardInterrupt):
        context.cancelAllJobs()


def _session_of(context: SparkContext, given: SparkSession | None) -> Callable[[], SparkSession]:
    """The SQL session, made when it is asked for: that takes a second, and only publishing to
    Neo4j needs it.
    """

    def session() -> SparkSession:
        from pyspark.sql import SparkSession

        return given or SparkSession(context)

    return session


def _redaction_key(progress: Progress) -> Key:
    """The key of ``--redact``; says where it is kept if it is made now."""
    from topograph.redaction.key import key_file, key_in_effect, known_key

    known = known_key()
    if known is None:
        known = key_in_effect()
        progress(
            f"A redaction key was made: {key_file()}. Keep it: the same names get the "
            "same tokens only with it."
        )
    return known


def _reachable(neo4j: str) -> DatabaseAddress | None:
    """Where to publish. Raises DatabaseUnavailable now rather than after the work if nothing
    answers there.
    """
    address = target_of(neo4j)
    if address is not None:
        try:
            connect(address).close()
        except DatabaseUnavailable as error:
            raise DatabaseUnavailable(
                f"{error} (To import without publishing: --neo4j none.)"
            ) from error
    return address


def _names(paths: Sequence[str | os.PathLike[str]], network: str | None) -> dict[str, Path]:
    """The paths by network name. Raises UsageError where two would share a name."""
    if not paths:
        raise UsageError("Name at least one folder (or file) with configuration files.")
    if network is not None and len(paths) > 1:
        raise UsageError(
            "--network names the network of one path; with several paths each is named "
            "after its last component."
        )
    if network is not None and not network.strip():
        raise UsageError("--network needs a name.")
    named: dict[str, Path] = {}
    for given in paths:
        path = Path(given)
        # A name that is no text (a folder named in another encoding) could not be written into a
        # table.
        name = (
            os.fsencode(network).decode("utf-8", "backslashreplace")
            if network
            else network_name(path)
        )
        if name in named:
            raise UsageError(
                f"{named[name]} and {path} would both be the network {name!r}. Import "
                "them one by one with --network."
            )
        named[name] = path
    return named


def _discard(run: Run | None, log: Path, error: BaseException, *, may_quote: bool) -> None:
    """Remove what is left of a run that failed: nothing of it is of use. If this is killed too, the
    next import sweeps."""
    if run is not None:
        run.discard()
    if may_quote or isinstance(error, UsageError | InputError | KeyboardInterrupt):
        log.unlink(missing_ok=True)


def _list(
    named: Mapping[str, Path],
    target: Path,
    config: str | os.PathLike[str] | None,
    watch: _Watch,
    key: Key | None,
    chosen: Selection,
) -> list[_Network]:
    with watch.stage("Listing files") as said:
        networks = [
            _listed(name, root, target, config, key, chosen) for name, root in named.items()
        ]
        skipped = sum(len(network.skipped) for network in networks)
        said(
            f"{_count(sum(len(network.inputs) for network in networks), 'file')}, "
            f"{skipped:,} skipped"
        )
    return networks


def _listed(
    name: str,
    root: Path,
    target: Path,
    config: str | os.PathLike[str] | None,
    key: Key | None,
    chosen: Selection,
) -> _Network:
    listing = chosen_files(list_inputs(root), chosen, config)
    # A snapshot that lies in the imported folder (``topograph import .``) is not part of the input.
    # (Joined with nothing, a folder ends with one separator, and so does the root of the disk.)
    own, base = (os.path.join(os.path.realpath(folder), "") for folder in (target, root))  # noqa: PTH118
    # Nothing that is listed lies outside of the root: links that lead out are not followed.
    apart = not own.startswith(base) and not base.startswith(own)
    inputs = tuple(
        file
        for file in listing.files
        if apart or not os.path.realpath(file.absolute).startswith(own)
    )
    findings = list(listing.findings)
    at_root: dict[str, bytes] = {}
    for file in inputs:
        if file.path == "topograph.yaml":
            # If it is gone already, the stage that recognises files says so.
            with contextlib.suppress(OSError):
                at_root[file.path] = read_bytes(file)
    side_inputs = side_inputs_for(config, at_root, findings, _told(key))
    reports, skipped = list(listing.reports), listing.skipped
    return _Network(name, root, listing, inputs, side_inputs, findings, reports, skipped)


_LOOKED_AT = 2_000
"""Files that are looked at without waiting for Spark, the smallest first, and _LOOKED_INTO bytes
of them in all: then Spark looks on.
"""
_LOOKED_INTO = 20 * 2**20


def _refuse_without_main(network: _Network, key: Key | None) -> None:
    """Raise InputError for a folder without a main file or a dump now, while Spark's Java still
    starts; a large one is left to Spark.
    """
    recognised: list[Recognised] = []
    size = 0
    for file in sorted(network.inputs, key=lambda file: file.size):
        size += file.size
        if len(recognised) == _LOOKED_AT or size > _LOOKED_INTO:
            return
        try:
            recognised.append(recognise(file.path, read_bytes(file)))
        except OSError:
            return  # the stage that recognises files says what became of it
        if recognised[-1].role.use in FOUNDING:
            return
    raise InputError(_without_main(network, recognised, key))


def _without_main(network: _Network, recognised: list[Recognised], key: Key | None) -> str:
    unread = not_read(network.findings)
    left_out = network.listing.left_out
    return nothing_recognised(str(network.root), recognised, unread, _told(key), left_out)


def _told(key: Key | None) -> Callable[[str], str]:
    """How a message about a file that is not among the imported ones is shown."""
    if key is None:
        return str
    from topograph.redaction.redactor import of_no_network

    return of_no_network(key).message


def _log_file() -> Path:
    """Where Spark's log of an import goes: the data folder of topograph, or the temporary folder
    if that cannot be written.
    """
    folder = home().data / "logs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir())
    if not os.access(folder, os.W_OK):
        folder = Path(tempfile.gettempdir())
    return folder / f"import-{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}.log"


class _Watch:
    """Says what is going on: one line per stage, with counts and seconds."""

    def __init__(self, progress: Progress, begun: Progress) -> None:
        self._progress = progress
        self._begun = begun
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[Callable[[str], None]]:
        began = time.monotonic()
        self._begun(name)
        said: list[str] = []
        yield said.append
        took = time.monotonic() - began
        self.seconds[name] = round(took, 3)
        self._progress(f"{name}: {', '.join([*said, f'{took:.1f} s'])}")


class _Import:
    """The steps of one import that has a session and a run."""

    def __init__(
        self,
        context: SparkContext,
        session: Callable[[], SparkSession],
        run: Run,
        networks: list[_Network],
        options: Options,
        watch: _Watch,
        log: Path,
        interrupts: Interrupts,
        key: Key | None = None,
        *,
        named: bool = False,
    ) -> None:
        self._context = context
        self._session = session
        self._run = run
        self._networks = {network.name: network for network in networks}
        self._options = options
        self._watch = watch
        self._log = log
        self._interrupts = interrupts
        self._key = key
        self._named = named
        self._files: list[TableFile] = []
        self._manifest: Manifest | None = None
        self._faults: list[str] = []

    @collector_paused()
    def do(self) -> ImportReport:
        with self._stage("Recognising files") as said:
            said(self.recognise())
        if self._key is not None:
            with self._stage("Finding what to redact") as said:
                said(self.redact(self._key))
        with self._stage("Reading configurations") as said:
            said(self.read())
        with self._stage("Compiling networks") as said:
            said(self.compile())
        with self._stage("Deriving interests") as said:
            said(self.interests())
        with self._stage("Writing the snapshot") as said:
            report = self.finish()
            said(report.snapshot)
        return report

    @contextlib.contextmanager
    def _stage(self, name: str) -> Iterator[Callable[[str], None]]:
        doing = name[0].lower() + name[1:]
        with (
            self._watch.stage(name) as said,
            spark_errors(doing, self._log, self._interrupts, details=self._key is None),
        ):
            yield said

    def recognise(self) -> str:
        """Steps 1 and 2: what every file is, and the bundles they make."""
        files = [
            (network.name, file) for network in self._networks.values() for file in network.inputs
        ]
        seen: dict[str, list[Recognised]] = {name: [] for name in self._networks}
        chunks = self._chunks(files, lambda item: item[1].size)
        found = self._mapped(tasks.recognise_files, chunks).collect() if files else []
        for file in (file for chunk in found for file in chunk):
            network = self._networks[file.network]
            if file.recognised is None:
                network.gone[file.path] = GONE
                network.findings.append(gone_since(file.path, file.failure))
                network.reports.append(gone_report(file.path))
            else:
                network.digests[file.path] = file.sha256
                seen[file.network].append(file.recognised)
        for name, network in self._networks.items():
            recognised = sorted(seen[name], key=lambda file: file.path)
            network.plan = plan(recognised, network.side_inputs, network.listing.aliases)
            if not network.plan.bundles:
                raise InputError(_without_main(network, recognised, self._key))
            network.findings.extend(network.plan.findings)
            network.side_inputs = replace(network.side_inputs, choices=network.plan.choices)
            network.reports.extend(network.plan.files)
        return _count(
            sum(len(network.plan.bundles) for network in self._networks.values()),
            "server configuration",
        )

    def _bundles(self) -> list[list[tasks.BundleTask]]:
        """The bundles to read, as work for the workers."""
        work = [
            tasks.BundleTask(
                network.name,
                bundle,
                tuple(inputs[file.path] for file in bundle.files),
                self._options,
            )
            for network in self._networks.values()
            for inputs in [{file.path: file for file in network.inputs}]
            for bundle in network.plan.bundles
        ]
        return self._chunks(work, lambda task: sum(file.size for file in task.inputs))

    def redact(self, key: Key) -> str:
        """Find the hosts, users and client ids of every network, and replace them in all that
        was noticed so far; the rest of the import sees what is replaced already."""
        from topograph.importers.declarations import check_declared
        from topograph.redaction.redactor import Redactor
        from topograph.redaction.values import Values, collect

        check_declared(
            bundle.system for network in self._networks.values() for bundle in network.plan.bundles
        )
        values = {name: Values() for name in self._networks}
        for name, part in self._mapped(tasks.collect_values, self._bundles()).collect():
            values[name].add(part)
        networks: dict[str, _Network] = {}
        for name, network in self._networks.items():
            collect([network.side_inputs], values[name])
            identity = network.identity()
            redactor = Redactor(key, values[name], [*identity.files, *identity.skipped])
            network.redactor = redactor
            network.findings = [*map(redactor.record, network.findings), *redactor.findings()]
            network.reports = [redactor.record(report) for report in network.reports]
            network.redacted = redactor.inputs(identity)
            network.side_inputs = network.redacted.side_inputs
            network.name = _free(name if self._named else redactor.path(name), networks)
            networks[network.name] = network
        self._networks = networks
        return _count(sum(len(found.sensitive) for found in values.values()), "value")

    def read(self) -> str:
        """Steps 3 and 4: bundles to facts, one part per network, system and kind."""
        redactors = {
            name: network.redactor
            for name, network in self._networks.items()
            if network.redactor is not None
        }
        for part in self._written(self._mapped(tasks.reading(redactors), self._bundles())):
            if isinstance(part, TableFile):
                self._files.append(part)
            else:
                key, rows = part
                network = self._networks[key.network]
                into: list[Any] = network.findings if key.table == "findings" else network.reports
                into.extend(from_arrow(key.table, tasks.unpacked([rows])))
        for network in self._networks.values():
            network.forget_files()
        return _count(sum(part.rows for part in self._files), "fact")

    def compile(self) -> str:
        """Step 5: facts to servers, points, guards and forwards."""
        for done in self._mapped(tasks.compile_networks, self._compilations()).collect():
            self._keep_compiled(done)
        counted = [counts for network in self._networks.values() for counts in network.counts]
        errors = [error for network in self._networks.values() for error in network.errors]
        self._faults = keep_reports(errors, anything_left=any(counts.servers for counts in counted))
        servers, links = (
            sum(counts.servers for counts in counted),
            sum(counts.links for counts in counted),
        )
        return (
            f"{_count(servers, 'server')}, {_count(links, 'link')}, "
            f"{_count(sum(c.forwards for c in counted), 'forward')}"
        )

    def _keep_compiled(self, made: tasks.NetworkMade) -> None:
        network = self._networks[made.network]
        self._files.extend(made.files)
        network.findings.extend(made.findings)
        network.counts = made.systems
        network.systems = made.present
        network.errors = made.errors
        network.side_inputs = replace(network.side_inputs, contradictions=made.contradictions)
        for counts in made.systems:
            if not fits(counts.forwards):
                network.findings.append(not_published(network.name, counts.forwards))
        # In one process the checks of a system that fails are not run.
        sound = {counts.system for counts in network.counts if counts.servers}
        for own in made.checked_apart():
            if own.system in sound:
                network.findings.extend(own.findings)
                network.errors += own.errors

    def _compilations(self) -> list[tasks.NetworkTask]:
        """The networks to compile, large ones in two processes each where they are fewer than
        cores."""
        work = [self._task(name) for name in self._networks]
        if len(work) >= self._context.defaultParallelism:
            return work
        return [replace(task, apart=_is_checked_apart(task)) for task in work]

    def interests(self) -> str:
        """The names that each server holds by implication, by source; not for networks where
        they are too many.
        """
        work = [
            tasks.InterestTask(
                self._task(name),
                counts.system,
                tuple(range(first, min(first + step, counts.servers))),
            )
            for name, network in self._networks.items()
            if _with_interests(network)
            for counts in network.counts
            if counts.pairs
            for step in [_SOURCES_PER_TASK]
            for first in range(0, counts.servers, step)
        ]
        try:
            self._derive(work)
        except Exception as error:
            if fault_of_worker(error) is None:
                raise
            # What a server holds by implication is worked out when it is asked for, as where there
            # is too much of it.
            lost = "Implied interests are not in the snapshot."
            fault = InternalError.of(error, "deriving interests", lost)
            self._faults += keep_reports([fault], anything_left=True)
            for network in self._networks.values():
                network.interests = False
                network.findings.append(fault.finding)
        return _count(
            sum(file.rows for file in self._files if file.table == "interests"), "interest"
        )

    def _derive(self, work: Sequence[tasks.InterestTask]) -> None:
        if work:
            self._files.extend(self._written(self._mapped(tasks.find_interests, work)))

    def finish(self) -> ImportReport:
        """Step 6: findings and file reports, which come from all steps, then the manifest."""
        options: dict[str, Any] = {"strict": self._options.strict}
        options |= extensions.options(
            name for network in self._networks.values() for name in network.systems
        )
        if self._key is not None:
            options["redact"] = self._key.fingerprint
        inputs = {
            name: network.redacted or network.identity() for name, network in self._networks.items()
        }
        for name, network in self._networks.items():
            network.findings = distinct(network.findings)
            for table, rows in (("findings", network.findings), ("sources", network.reports)):
                part = in_order(table, to_arrow(table, rows, network=name))
                self._files.append(write_table(self._run.path, table, name, [part]))
        made = snapshot_id(inputs, options)
        entries = [_entry(network) for network in self._networks.values()]
        digests = {name: dict(each.files) for name, each in inputs.items()}
        self._manifest = commit(self._run, made, options, entries, self._files, digests)
        reports = tuple(self._report(network) for network in self._networks.values())
        redaction = self._key.fingerprint if self._key is not None else ""
        warnings = tuple(self._faults)
        return ImportReport(
            made, str(self._run.root), reports, "", warnings, self._watch.seconds, redaction
        )

    def publish(self, report: ImportReport, address: DatabaseAddress, name: str) -> ImportReport:
        """Step 7: the snapshot into Neo4j, then ``CURRENT``."""
        with self._stage("Publishing to Neo4j") as said:
            assert self._manifest is not None
            snapshot = ParquetSnapshot(name, self._run.root, self._manifest)
            done = publish(self._context, self._session, snapshot, address)
            left_out = [entry for entry in snapshot.manifest.networks if not fits(entry.forwards)]
            warnings = tuple(
                not_published(entry.name, entry.forwards).message for entry in left_out
            )
            said(address.uri if done is not None else "nothing published")
        return replace(
            report,
            neo4j=address.uri if done is not None else "",
            warnings=(*report.warnings, *warnings),
        )

    def _task(self, name: str) -> tasks.NetworkTask:
        files = tuple(file for file in self._files if file.network == name)
        side_inputs = self._networks[name].side_inputs
        return tasks.NetworkTask(str(self._run.root), self._run.name, name, files, side_inputs)

    def _chunks(self, items: Sequence[Item], size: Callable[[Item], int]) -> list[list[Item]]:
        """Items, each of so many bytes, in the lists that workers take."""
        return chunked(items, size, _CHUNKS_PER_CORE * self._context.defaultParallelism)

    def _mapped(self, task: tasks.Task, values: Iterable[Any]) -> RDD[Any]:
        """What the workers make of values."""
        return spread(self._context, list(values)).mapPartitions(tasks.prepared(task))

    def _written(self, rows: RDD[Any]) -> list[Any]:
        """What becomes of rows, each part of the snapshot written by one worker."""
        count = rows.getNumPartitions()
        shuffled = rows.partitionBy(count, lambda key: key.partition)
        return shuffled.mapPartitions(tasks.prepared(tasks.writing(str(self._run.path)))).collect()

    def _report(self, network: _Network) -> NetworkReport:
        entry = _entry(network)
        return NetworkReport(
            name=network.name,
            root=entry.root,
            systems=tuple(sorted(network.systems)),
            servers=entry.servers,
            links=entry.links,
            points=entry.points,
            forwards=entry.forwards,
            facts=sum(
                file.rows
                for file in self._files
                if file.table == "facts" and file.network == network.name
            ),
            files=tally(network.reports),
            findings=count_by_severity(network.findings),
            unreadable=unreadable_mains(network.reports),
        )


def _entry(network: _Network) -> NetworkEntry:
    counts = network.counts
    root = os.fsencode(network.root.resolve()).decode("utf-8", "backslashreplace")
    return NetworkEntry(
        name=network.name,
        root=root if network.redactor is None else network.redactor.path(root.rpartition("/")[2]),
        files=sum(tally(network.reports).values()),
        systems=tuple(sorted(each.system for each in counts)),
        servers=sum(each.servers for each in counts),
        links=sum(each.links for each in counts),
        points=sum(each.points for each in counts),
        forwards=sum(each.forwards for each in counts),
        forwards_written=all(fits(each.forwards) for each in counts),
        interests_written=_with_interests(network),
        side_inputs=network.side_inputs,
    )


def _is_checked_apart(task: tasks.NetworkTask) -> bool:
    """Whether checks of a network run beside its compiling (``_APART``)."""
    rows = sum(
        file.rows for file in task.files if file.table == "facts" and has_checks_apart(file.system)
    )
    return rows >= _APART


def _free(name: str, taken: Mapping[str, object]) -> str:
    """The name, numbered if another network has it already once both are redacted."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}~{number}"
    return free


def _with_interests(network: _Network) -> bool:
    """Whether the implied interests are written: of a legal network that is not too big."""
    pairs = [counts.pairs for counts in network.counts]
    return network.interests and None not in pairs and sum(filter(None, pairs)) <= INTERESTS_LIMIT


def chunked(items: Sequence[Item], size: Callable[[Item], int], wanted: int) -> list[list[Item]]:
    """Items in lists, in their order: about ``wanted`` ones where they are few and small, more
    where one would hold more than ``_CHUNK`` items or go on behind ``_CHUNK_BYTES``. Linear."""
    most = max(1, min(_CHUNK, -(-len(items) // wanted)))
    lists: list[list[Item]] = []
    room, filled = 0, 0
    for item in items:
        if room == 0 or filled >= _CHUNK_BYTES:
            lists.append([])
            room, filled = most, 0
        lists[-1].append(item)
        room -= 1
        filled += size(item)
    return lists


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
