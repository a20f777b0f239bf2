"""The stages of an import on Spark, from files that are listed to a snapshot, and to Neo4j (DESIGN
section 2.4)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from topograph import extensions
from topograph.importers.reading import Options
from topograph.pipeline import reading_tasks, tasks
from topograph.pipeline.connect import ConnectContext, ConnectRows
from topograph.pipeline.division import CHUNKS_PER_CORE, Item, chunked
from topograph.pipeline.earlier import Carried, keep_listed
from topograph.pipeline.file_columns import SeenFiles
from topograph.pipeline.here import HereContext, HereRows
from topograph.pipeline.import_report import ImportReport, NetworkReport
from topograph.pipeline.imported_network import (
    Identities,
    ImportedNetwork,
    entry_of,
    with_interests,
)
from topograph.pipeline.input_digests import DigestsByNetwork
from topograph.pipeline.kept_parts import Keeper
from topograph.pipeline.neo4j_sink import publish
from topograph.pipeline.network_folders import free_name
from topograph.pipeline.output import Run
from topograph.pipeline.places import snapshot_at
from topograph.pipeline.planning import planned, take_read, to_recognise
from topograph.pipeline.progress import Watch, count
from topograph.pipeline.reading_tasks import KeptFacts, Work, bundles_of, work_size
from topograph.pipeline.reported import Reported, ReportsWritten, reported_tables, written
from topograph.pipeline.session import fault_of_worker, spark_errors, spread
from topograph.pipeline.stored_output import StoredRun
from topograph.pipeline.written_tables import WrittenTables
from topograph.process.garbage import collector_paused
from topograph.process.internal_errors import InternalError
from topograph.process.interrupts import Interrupts
from topograph.store.identity import snapshot_id
from topograph.store.parquet import Manifest, TableFile
from topograph.store.publication import fits, not_published
from topograph.store.reports import keep_reports
from topograph.systems import has_checks_apart

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext
    from pyspark.sql import SparkSession

    from topograph.redaction.key import Key
    from topograph.store.where import DatabaseAddress

_SOURCES_PER_TASK = 64

_APART = 20_000
"""Facts of a network from which on checks that need nothing compiled run in a process of their own
beside its compiling: of fewer, they take less time than such a process.
"""


_MANY_NETWORKS = 64
"""Networks from which on workers write the findings and file reports of each: of fewer, the driver
does in less time than a task takes."""


class Stages:
    """The steps of one import that has a session and a run."""

    def __init__(
        self,
        context: SparkContext | HereContext | ConnectContext,
        session: Callable[[], SparkSession],
        run: Run | StoredRun,
        networks: list[ImportedNetwork],
        options: Options,
        watch: Watch,
        log: Path,
        interrupts: Interrupts,
        key: Key | None = None,
        *,
        named: bool = False,
        carried: Mapping[str, Carried] = MappingProxyType({}),
        keeper: Keeper | None = None,
        followed: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._context = context
        self._session = session
        self._run = run
        self._networks = {
            network.name: network for network in networks if network.name not in carried
        }
        self._unchanged = {network.name: network for network in networks if network.name in carried}
        for network in self._unchanged.values():
            network.forget_files()
        self._carried = carried
        self._order = [network.name for network in networks]
        self._options = options
        self._watch = watch
        self._log = log
        self._interrupts = interrupts
        self._key = key
        self._named = named
        self._keeper = keeper
        self._followed = followed
        self._files = WrittenTables()
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
        chunks = to_recognise(self._networks.values(), self._wanted)
        found = self._mapped(reading_tasks.recognise_files, chunks).collect() if chunks else []
        seen: dict[str, list[SeenFiles]] = {}
        for chunk in found:
            for name, files in chunk:
                seen.setdefault(name, []).append(files)
        del found, chunks
        for name, network in self._networks.items():
            parts = seen.pop(name, [])
            planned(network, parts, self._options, self._wanted, self._keeper, self._key)
        return count(
            sum(network.bundles for network in self._networks.values()), "server configuration"
        )

    def _bundles(self) -> list[list[Work | KeptFacts]]:
        """The bundles to read, and what was read of the others, as work for the workers."""
        work: list[Work | KeptFacts] = []
        for network in self._networks.values():
            work += network.work
            if network.reused is not None:
                work += network.reused.kept_facts(network.name)
        return chunked(work, work_size, self._wanted, bundles_of)

    def redact(self, key: Key) -> str:
        """Find the hosts, users and client ids of every network, and replace them in all that
        was noticed so far; the rest of the import sees what is replaced already."""
        from topograph.importers.declarations import check_declared
        from topograph.redaction.redactor import Redactor
        from topograph.redaction.values import Values, collect

        check_declared(
            system for network in self._networks.values() for system in network.bundle_systems
        )
        values = {name: Values() for name in self._networks}
        for name, part in self._mapped(reading_tasks.collect_values, self._bundles()).collect():
            values[name].add(part)
        networks: dict[str, ImportedNetwork] = {}
        for name, network in self._networks.items():
            collect([network.side_inputs], values[name])
            identity = network.identity()
            redactor = Redactor(key, values[name], [*identity.files, *identity.skipped])
            network.redactor = redactor
            network.findings = network.findings.replaced(redactor.record)
            network.findings.extend(redactor.findings())
            network.reports = network.reports.replaced(redactor.record)
            network.redact_inputs(redactor.inputs(identity))
            network.name = free_name(name if self._named else redactor.path(name), networks)
            network.work = [replace(work, network=network.name) for work in network.work]
            networks[network.name] = network
        self._networks = networks
        return count(sum(len(found.sensitive) for found in values.values()), "value")

    def read(self) -> str:
        """Steps 3 and 4: bundles to facts, one part per network, system and kind."""
        redactors = {
            name: network.redactor
            for name, network in self._networks.items()
            if network.redactor is not None
        }
        found: dict[str, list[tasks.Rows]] = {}
        rows = self._mapped(reading_tasks.reading(redactors), self._bundles())
        for part in self._written(rows):
            if isinstance(part, TableFile):
                self._files.add([part])
            else:
                found.setdefault(part[0].network, []).append(part)
        for name, network in self._networks.items():
            take_read(network, found.pop(name, []), self._keeper)
            network.forget_files()
        return count(sum(part.rows for part in self._files), "fact")

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
            f"{count(servers, 'server')}, {count(links, 'link')}, "
            f"{count(sum(c.forwards for c in counted), 'forward')}"
        )

    def _keep_compiled(self, made: tasks.NetworkMade) -> None:
        network = self._networks[made.network]
        self._files.add(made.files)
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
        return [replace(task, apart=is_checked_apart(task)) for task in work]

    def interests(self) -> str:
        """The names that each server holds by implication, by source; not for networks where
        they are too many.
        """
        work = [
            tasks.InterestTask(
                task,
                counts.system,
                tuple(range(first, min(first + step, counts.servers))),
            )
            for name, network in self._networks.items()
            if with_interests(network)
            for task in [self._task(name)]
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
        return count(
            sum(file.rows for file in self._files if file.table == "interests"), "interest"
        )

    def _derive(self, work: Sequence[tasks.InterestTask]) -> None:
        if work:
            self._files.add(self._written(self._mapped(tasks.find_interests, work)))

    def finish(self) -> ImportReport:
        """Step 6: findings and file reports, which come from all steps, then the manifest."""
        options: dict[str, Any] = {"strict": self._options.strict}
        options |= extensions.options(
            name for network in self._networks.values() for name in network.systems
        )
        if self._key is not None:
            options["redact"] = self._key.fingerprint
        networks = {**self._unchanged, **self._networks}
        reports = {done.network: self._report(done) for done in self._write_reported()}
        made = snapshot_id(Identities(networks), options)
        entries = {name: entry_of(network) for name, network in self._networks.items()}
        for name, kept in self._carried.items():
            entries[name], reports[name] = kept.entry, kept.report
            self._files.add(kept.files)
        order = self._order if self._carried else list(entries)
        digests = DigestsByNetwork({name: each.digests for name, each in networks.items()})
        if self._keeper is not None:
            keep_listed(self._keeper, [networks[name] for name in order], self._followed, self._run)
        self._manifest = self._run.commit(
            made, options, [entries[name] for name in order], tuple(self._files), digests
        )
        redaction = self._key.fingerprint if self._key is not None else ""
        warnings = tuple(self._faults)
        return ImportReport(
            made,
            self._run.place,
            tuple(reports[name] for name in order),
            "",
            warnings,
            self._watch.seconds,
            redaction,
        )

    def _write_reported(self) -> Iterator[ReportsWritten]:
        """The findings and file reports of every network: of many networks by the workers."""
        work = [
            Reported(name, network.findings, network.reports)
            for name, network in self._networks.items()
        ]
        if len(work) < _MANY_NETWORKS:
            yield from (written(self._run.place, self._run.name, one) for one in work)
            return
        chunks = self._chunks(work, lambda one: one.size)
        write = reported_tables(self._run.place, self._run.name)
        for done in self._mapped(write, chunks).collect():
            yield from done

    def publish(self, report: ImportReport, address: DatabaseAddress, name: str) -> ImportReport:
        """Step 7: the snapshot into Neo4j, then ``CURRENT``."""
        with self._stage("Publishing to Neo4j") as said:
            assert self._manifest is not None
            snapshot = snapshot_at(self._run.place, name, self._manifest)
            assert not isinstance(self._context, HereContext | ConnectContext)
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
        files = self._files.of(name)
        side_inputs = self._networks[name].side_inputs
        return tasks.NetworkTask(self._run.place, self._run.name, name, files, side_inputs)

    @property
    def _wanted(self) -> int:
        """How many lists workers take at least, if there is enough to do."""
        return CHUNKS_PER_CORE * self._context.defaultParallelism

    def _chunks(self, items: Sequence[Item], size: Callable[[Item], int]) -> list[list[Item]]:
        """Items, each of so many bytes, in the lists that workers take."""
        return chunked(items, size, self._wanted)

    def _mapped(self, task: tasks.Task, values: Iterable[Any]) -> RDD[Any] | HereRows | ConnectRows:
        """What the workers make of values."""
        return spread(self._context, list(values)).mapPartitions(tasks.prepared(task))

    def _written(self, rows: RDD[Any] | HereRows | ConnectRows) -> list[Any]:
        """What becomes of rows, each part of the snapshot written by one worker."""
        count = rows.getNumPartitions()
        shuffled = rows.partitionBy(count, lambda key: key.partition)
        write = tasks.writing(self._run.place, self._run.name)
        return shuffled.mapPartitions(tasks.prepared(write)).collect()

    def _report(self, done: ReportsWritten) -> NetworkReport:
        """What an import says of a network whose last tables are written."""
        network = self._networks[done.network]
        self._files.add(done.files)
        network.tally = done.tally
        entry = entry_of(network)
        return NetworkReport(
            name=network.name,
            root=entry.root,
            systems=tuple(sorted(network.systems)),
            servers=entry.servers,
            links=entry.links,
            points=entry.points,
            forwards=entry.forwards,
            facts=sum(file.rows for file in self._files.of(network.name) if file.table == "facts"),
            files=done.tally,
            findings=done.findings,
            unreadable=done.unreadable,
        )


def is_checked_apart(task: tasks.NetworkTask) -> bool:
    """Whether checks of a network run beside its compiling (``_APART``)."""
    rows = sum(
        file.rows for file in task.files if file.table == "facts" and has_checks_apart(file.system)
    )
    return rows >= _APART
