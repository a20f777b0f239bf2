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
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topograph.credentials import without_user_info
from topograph.errors import (
    NO_ROOM,
    BackendError,
    DatabaseUnavailable,
    InputError,
    UsageError,
    no_room,
)
from topograph.facts.plain import to_plain
from topograph.importers.reading import Options
from topograph.local_paths import check_local, is_storage, storage_or_path
from topograph.opening.selection import EVERYTHING, Selection
from topograph.pipeline import hadoop
from topograph.pipeline.connect import ConnectContext, is_connect
from topograph.pipeline.earlier import Carried, Earlier, earlier_import, may_be_compared
from topograph.pipeline.here import HereContext, is_little
from topograph.pipeline.import_report import ImportReport
from topograph.pipeline.imported_network import ImportedNetwork
from topograph.pipeline.kept_parts import Keeper
from topograph.pipeline.neo4j_sink import target_of
from topograph.pipeline.network_folders import list_networks, named_paths, refuse_without_main
from topograph.pipeline.output import Run, sweep
from topograph.pipeline.places import begin_run_at
from topograph.pipeline.progress import Progress, Watch, count
from topograph.pipeline.session import (
    lasting_folder,
    quiet_pandas,
    safe_workers,
    ship_package,
    spark_starting,
)
from topograph.pipeline.stages import Stages
from topograph.pipeline.stored_output import StoredRun
from topograph.process.interrupts import remembered
from topograph.records import record
from topograph.store.database import connect
from topograph.store.homes import home

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    from topograph.redaction.key import Key
    from topograph.store.where import DatabaseAddress

    Context = SparkContext | ConnectContext


def run_import(
    paths: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    network: str | None = None,
    config: str | os.PathLike[str] | None = None,
    master: str | None = None,
    previous: str | os.PathLike[str] | None = None,
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

    ``previous`` is a snapshot of the same paths: networks of which no file changed since are kept,
    and with little else to read Spark is not started (``pipeline.earlier``).

    ``chosen`` are patterns of files that are left out, or let in, beside those in the folders.
    ``redact`` replaces hosts, users and client ids by stable tokens before anything is written
    (docs/redaction.md); configurations are then read twice, for what stands in one of them is
    replaced in all.

    Paths and ``output`` may be URLs of storage that Spark reads, such as ``s3a://bucket/estate``
    (docs/cluster.md). A snapshot that is there answers until the new one is complete. Raises
    UsageError for names that clash and for other URLs, InputError for a path that cannot be read
    or holds no main file, BackendError where Spark, storage or Neo4j fails. Linear in the files;
    the driver holds a short record of every file and all findings, a worker one network's facts at
    a time.
    """
    check_local(config)
    if spark is not None and is_connect(spark) and target_of(neo4j) is not None:
        raise UsageError(
            "Over Spark Connect nothing is published. Import with neo4j='none', then run topograph "
            "snapshots publish."
        )
    watch = Watch(progress, begun)
    target = _target(output)
    sources = [storage_or_path(os.fspath(path)) for path in paths]
    before = may_be_compared(previous, sources, redacted=redact)
    in_storage = any(map(is_storage, [target, before, *sources]))
    followed = {"strict": strict, "chosen": to_plain(chosen)}
    asked = _Asked(
        named_paths(sources, network),
        target,
        in_storage,
        network is not None,
        config,
        strict,
        chosen,
        partial(_spark_of, spark, master, settings, watch),
        spark,
        _redaction_key(progress) if redact else None,
        before,
        # One in storage is looked at when storage is reached.
        None if is_storage(before) else _earlier(before, followed, progress),
        followed,
        _reachable(neo4j),
        watch,
        _log_file(),
    )
    return _imported(asked, os.fspath(output))


@record(slots=False)
class _Asked:
    """What an import was asked for, once it is known to be possible."""

    named: Mapping[str, str]
    target: str
    in_storage: bool
    is_named: bool
    """Whether somebody named the network."""
    config: str | os.PathLike[str] | None
    strict: bool
    chosen: Selection
    begin_spark: Callable[[Path, contextlib.ExitStack], Callable[[], Context]]
    spark: SparkSession | None
    key: Key | None
    previous: str
    """The path, or the URL of storage, of the earlier snapshot; empty for none."""
    earlier: Earlier | None
    followed: Mapping[str, Any]
    """Options that decide what is read (``earlier.about``)."""
    address: DatabaseAddress | None
    watch: Watch
    log: Path


def _imported(asked: _Asked, name: str) -> ImportReport:
    run: Run | StoredRun | None = None
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(quiet_pandas())
            begin = partial(asked.begin_spark, asked.log, stack)
            # Its Java starts now, unless it may turn out that none is needed.
            spark = begin() if asked.earlier is None else _later(begin)
            if asked.in_storage:
                spark = _storage_reached(spark(), stack)
            if is_storage(asked.previous):
                found = _earlier(asked.previous, asked.followed, asked.watch.tell)
                asked = replace(asked, earlier=found)
            networks = list_networks(
                asked.named, asked.target, asked.config, asked.watch, asked.key, asked.chosen
            )
            unchanged = _unchanged(asked, networks)
            changed = [listed for listed in networks if listed.name not in unchanged]
            run = begin_run_at(asked.target)
            if isinstance(run, StoredRun):
                stack.push(run.leave)  # while there is a Java that reaches it
            for listed in changed:
                refuse_without_main(listed, asked.key)
            keeper = _keeper(run, asked, stack)
            carried = _carried(run, asked, networks, unchanged, keeper)
            interrupts = stack.enter_context(remembered())
            is_here = asked.earlier is not None and asked.address is None and is_little(changed)
            context = HereContext() if is_here else spark()
            work = Stages(
                context,
                _session_of(context, asked.spark),
                run,
                networks,
                Options(strict=asked.strict),
                asked.watch,
                asked.log,
                interrupts,
                asked.key,
                named=asked.is_named,
                carried=carried,
                keeper=keeper,
                followed=asked.followed,
            )
            report = work.do()
            if asked.address is not None:
                report = work.publish(report, asked.address, name)
    except BaseException as error:
        # What Spark logs of its work may quote what was to be redacted.
        may_quote = asked.key is not None and asked.spark is not None
        _discard(run, asked.log, error, may_quote=may_quote)
        _check_room(error, name)
        raise
    if asked.earlier is not None:
        asked.earlier.release()
    if isinstance(run, Run):
        run.end()
    asked.log.unlink(missing_ok=True)
    return report


def _later(begin: Callable[[], Callable[[], Context]]) -> Callable[[], Context]:
    """A Spark that does not begin to start before it is asked for."""

    def started() -> Context:
        context_of = begin()
        return context_of()

    return started


def _earlier(previous: str, followed: Mapping[str, Any], progress: Progress) -> Earlier | None:
    """The import whose unchanged networks are kept, if there is one."""
    if not previous:
        return None
    found = earlier_import(previous, followed)
    if found is None:
        shown = without_user_info(previous, urls_only=True)
        progress(f"All files are read: {shown} is not a finished snapshot yet.")
    return found


def _unchanged(asked: _Asked, networks: Sequence[ImportedNetwork]) -> set[str]:
    """The names of the networks that are as they were at the earlier import."""
    if asked.earlier is None:
        return set()
    with asked.watch.stage("Comparing with the previous import") as said:
        found = {network.name for network in networks if asked.earlier.is_unchanged(network)}
        why = asked.earlier.why_not
        said(
            f"{len(found):,} of {count(len(networks), 'network')} unchanged"
            + (f": {why}" if why else "")
        )
    return found


def _keeper(run: Run | StoredRun, asked: _Asked, stack: contextlib.ExitStack) -> Keeper | None:
    """What keeps in a run what the next import compares, where it may be compared."""
    if isinstance(run, Run):
        sweep(run.root)  # what dead imports left
    if asked.key is not None:
        return None
    if isinstance(run, StoredRun):
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="topograph-kept-"))
        keeper = Keeper(Path(folder))
    else:
        keeper = Keeper(run.path)
    stack.callback(keeper.close)
    return keeper


def _carried(
    run: Run | StoredRun,
    asked: _Asked,
    networks: Sequence[ImportedNetwork],
    unchanged: Collection[str],
    keeper: Keeper | None,
) -> dict[str, Carried]:
    """The tables of unchanged networks."""
    if asked.earlier is None or keeper is None:
        return {}
    kept = [network for network in networks if network.name in unchanged]
    return {network.name: asked.earlier.carried(network, run, keeper) for network in kept}


def _target(output: str | os.PathLike[str]) -> str:
    """Where the snapshot is written: an absolute path, or the URL of storage."""
    place = storage_or_path(os.fspath(output))
    return place.rstrip("/") if is_storage(place) else str(Path(place).absolute())


def _storage_reached(context: Context, stack: contextlib.ExitStack) -> Callable[[], Context]:
    """A Spark that has started, whose Java reaches storage for the driver from now on."""
    if isinstance(context, ConnectContext):
        raise UsageError(
            "Spark Connect gives no access to URLs of storage. Use a path that this process and "
            "the workers have mounted, such as /Volumes/…."
        )
    hadoop.use_driver(context._gateway, context._jsc.hadoopConfiguration())
    stack.callback(hadoop.end_driver)
    return lambda: context


def _check_room(error: BaseException, output: str | os.PathLike[str]) -> None:
    """Raises BackendError in place of an error of a full disk."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        raise BackendError(no_room(error, os.fspath(output))) from error


def _spark_of(
    given: SparkSession | None,
    master: str | None,
    settings: Mapping[str, str] | None,
    watch: Watch,
    log: Path,
    stack: contextlib.ExitStack,
) -> Callable[[], Context]:
    """The Spark of an import, as a function that waits for it: that of the ``given`` session, else
    one of its own, whose Java starts now.
    """
    if given is None:
        starting = stack.enter_context(spark_starting(log, master=master, settings=settings))

        def started() -> Context:
            with watch.stage("Starting Spark"):
                return starting()

        return started

    def prepared() -> Context:
        if is_connect(given):
            connected = ConnectContext(given)
            ship_package(connected, lasting_folder())
            return connected
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


def _session_of(
    context: Context | HereContext, given: SparkSession | None
) -> Callable[[], SparkSession]:
    """The SQL session, made when it is asked for: that takes a second, and only publishing to
    Neo4j needs it.
    """

    def session() -> SparkSession:
        from pyspark.sql import SparkSession

        # Where something is to be published, there is a Spark.
        assert not isinstance(context, HereContext | ConnectContext)
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


def _discard(
    run: Run | StoredRun | None, log: Path, error: BaseException, *, may_quote: bool
) -> None:
    """Remove what is left of a run that failed: nothing of it is of use. If this is killed too, the
    next import sweeps."""
    if isinstance(run, Run):
        run.discard()
    if may_quote or isinstance(error, UsageError | InputError | KeyboardInterrupt):
        log.unlink(missing_ok=True)


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
