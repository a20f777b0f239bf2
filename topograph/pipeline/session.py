"""Spark for one import: settings, logs, the travelling package, and Spark's errors as one line.

Everything that Spark and its Java say goes to one log file; nothing of it reaches stdout or stderr.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import logging
import os
import re
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from topograph import extensions, version
from topograph.errors import NO_ROOM, BackendError, TopographError, UnknownSystem
from topograph.pipeline.daemon import MODULE as DAEMON
from topograph.pipeline.gateway import Java
from topograph.pipeline.hadoop import StorageUnreachable
from topograph.pipeline.package import write_added, write_package
from topograph.process.internal_errors import without_secrets
from topograph.process.interrupts import Interrupts, held_back, restored
from topograph.process.java import find_java
from topograph.search_paths import SAFE, safe
from topograph.store.reports import write
from topograph.store.temporary import temporary_folder
from topograph.version import __version__

if TYPE_CHECKING:
    from pyspark import RDD, SparkConf, SparkContext

    from topograph.pipeline.connect import ConnectContext, ConnectRows
    from topograph.pipeline.here import HereContext, HereRows

_SETTINGS = {
    # A pipeline process needs no page to look at, and a port taken by another import would print a
    # warning.
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Columns leave and enter Python as Arrow; a batch is bounded by bytes, so that big rows do not
    # add up.
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(16 * 1024 * 1024),
    # Measured (DESIGN section 6): many small files and tables, where the defaults start a thousand
    # tasks.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "4",
    "spark.sql.files.openCostInBytes": "16384",
    # A task that fails does so for a reason of ours; four attempts only delay the message.
    "spark.task.maxFailures": "2",
    "spark.python.worker.faulthandler.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.executor.heartbeatInterval": "20s",
    # Spark starts workers by python -m, which would import what lies where the driver was started.
    f"spark.executorEnv.{SAFE}": "1",
}

_FILES = frozenset(
    {
        "spark.archives",
        "spark.eventLog.dir",
        "spark.files",
        "spark.jars",
        "spark.kerberos.keytab",
        "spark.kubernetes.driver.podTemplateFile",
        "spark.kubernetes.executor.podTemplateFile",
        "spark.local.dir",
        "spark.submit.pyFiles",
    }
)
"""Settings that name files. A relative one is meant from where topograph was started, which is not
where Spark is."""
_WITH_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

_FULL = tuple(os.strerror(number) for number in sorted(NO_ROOM))
"""How workers and Java say that a disk is full."""

_LOG4J = """\
rootLogger.level = warn
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {log}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{{yy-MM-dd HH:mm:ss}} %p %c{{1}}: %m%n%ex
"""


@contextlib.contextmanager
def spark_starting(
    log: Path, *, master: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[Callable[[], SparkContext]]:
    """Spark for one import, ended at the end in any case. Its Java starts at once and takes a
    second or two, in which other work can be done; the function that is given waits for it.

    ``master`` is a Spark master URL, by default ``local[*]``; ``settings`` are Spark properties
    that go before ours. ``log`` takes what Spark says. Raises NoJava at once, or BackendError (from
    the function) where Spark does not start.
    """
    find_java("Spark")
    master = master or "local[*]"
    log.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(temporary_folder("topograph-spark-"))
        output = stack.enter_context(log.open("ab"))
        stack.enter_context(quiet_pandas())
        stack.enter_context(_logged(log))
        stack.enter_context(_environment(master, work))
        (work / "log4j2.properties").write_text(_LOG4J.format(log=log.as_posix()), "utf-8")
        stack.enter_context(restored())
        conf = _configured(master, dict(settings or {}), work)
        # Interrupted here, the Java that is being started would be forgotten, and wait for a reader
        # for ever.
        with held_back():
            java = Java(conf, work, output)
            stack.callback(java.end)

        def started() -> SparkContext:
            context = _context(java, conf, log)
            stack.callback(_stop, context)
            _leave_accumulators_alone(context, log)
            if not _on_this_machine(master):
                ship_package(context, work)
            else:
                ship_added(context, work)
            return context

        yield started


def slices(context: SparkContext | HereContext | ConnectContext, count: int) -> int:
    """Into how many parts that many values are divided: so many that all cores have work to the
    end.
    """
    return max(1, min(count, 8 * context.defaultParallelism))


def spread(
    context: SparkContext | HereContext | ConnectContext, values: Sequence[Any]
) -> RDD[Any] | HereRows | ConnectRows:
    """Values distributed over the cores."""
    return context.parallelize(values, slices(context, len(values)))


def ship_package(context: SparkContext | ConnectContext, work: Path) -> None:
    """Send the topograph package to the workers of a session, and those that add systems, each
    unless it was sent already; workers find them before installed ones. Raises UnknownSystem for
    a package that adds a system and is not there."""
    _ship(context, write_package(work / "topograph.zip"))
    ship_added(context, work)


def ship_added(context: SparkContext | ConnectContext, work: Path) -> None:
    """Send the packages that add systems only."""
    for system, package in extensions.packages().items():
        try:
            written = write_added(work / f"{system}.zip", package)
        except (ImportError, ValueError) as error:
            raise UnknownSystem(
                f"The package that answers for {system} cannot be sent to workers: {error}."
            ) from error
        if written is not None:
            _ship(context, written)


def _ship(context: SparkContext | ConnectContext, package: Path) -> None:
    # Spark refuses a second file of the same name with other content: a session may outlive a
    # version of this package.
    named = package.rename(
        package.with_stem(f"{package.stem}-{hashlib.sha256(package.read_bytes()).hexdigest()[:16]}")
    )
    sent = context._python_includes or () if hasattr(context, "_python_includes") else ()
    if named.name in sent:
        named.unlink()
    else:
        context.addPyFile(str(named))


def lasting_folder() -> Path:
    """A new folder that lasts as long as this process: an executor fetches what was sent when it
    gets its first task, which may be one of a later import in the same session."""
    lasting = contextlib.ExitStack()
    atexit.register(lasting.close)
    return lasting.enter_context(temporary_folder("topograph-sent-"))


@contextlib.contextmanager
def spark_errors(
    doing: str, log: Path, interrupts: Interrupts, *, details: bool = True
) -> Iterator[None]:
    """Turn what Spark raises into one BackendError that says what was being done and where the
    details are.

    Errors of ours and interrupts pass through, also an interrupt that what Spark raised on its way
    out hides. What our own functions raise in a worker is a TopographError with a report, never
    blamed on Spark. The full text goes to ``log``. Without ``details`` nothing of it is told or
    kept but the type of the error: its text may quote what a redacting import was to replace.
    """
    try:
        yield
        interrupts.check()
    except (TopographError, KeyboardInterrupt):
        raise
    except Exception as error:
        interrupts.check()
        _explain(error, doing, log, details)
        raise


def _explain(error: Exception, doing: str, log: Path, details: bool) -> None:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    told_by_worker = fault_of_worker(error)
    full = next((why for why in _FULL if why in str(error)), "")
    if full:
        raise BackendError(
            f"There is no room left to write while {doing}: {full}. Make room where the snapshot "
            f"is written (-o) and in the temporary folder ({gettempdir()}), and import again."
        ) from error
    if told_by_worker is not None and StorageUnreachable.__name__ in told_by_worker:
        why = cause(told_by_worker).partition(": ")[2]
        raise BackendError(f"Storage failed while {doing}: {why} (details: {log})") from None
    if told_by_worker is not None:
        # raised by our own functions in a worker: no fault of Spark's
        kind = cause(told_by_worker).partition(":")[0]
        text = without_secrets(told_by_worker) if details else f"{doing}: {kind}"
        told = (
            write(f"topograph {__version__}, {doing}\n\n{text}\n")
            or "(its report could not be written)"
        )
        raise TopographError(
            f"Internal error (bug) while {doing}: {kind}. Details: {told}"
        ) from None
    if isinstance(error, Py4JError | PySparkException | ConnectionError | EOFError):
        if not details:
            kind = cause(str(error)).partition(":")[0]
            message = (
                f"Spark failed while {doing}: {kind} (an import with --redact keeps no "
                "details: they may quote what it replaces)."
            )
            raise BackendError(message) from None
        with contextlib.suppress(OSError), log.open("a", encoding="utf-8") as file:
            file.write(f"\n{doing}:\n{''.join(traceback.format_exception(error))}\n")
        raise BackendError(
            f"Spark failed while {doing}: {cause(str(error))} (details: {log})"
        ) from error


def fault_of_worker(error: BaseException) -> str | None:
    """What Spark says of an error that our own functions raised in a worker; None for any other
    error.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PythonException

    if isinstance(error, PythonException):
        return str(error)
    # Without an SQL session nobody has told Python which errors of Java's are its own.
    if isinstance(error, Py4JJavaError) and "org.apache.spark.api.python.PythonException: " in str(
        error
    ):
        return str(error)
    return None


def cause(text: str) -> str:
    """The line of a Spark error that says what happened: the last exception of a Python worker,
    else the innermost Java cause.

    >>> cause("An exception was thrown\\nTraceback (most recent call last):\\n  File \\"x.py\\", line 1\\nValueError: no")
    'ValueError: no'
    """  # noqa: E501
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    python = [
        line
        for line in lines
        if re.match(r"[A-Za-z_][\w.]*(Error|Exception|Interrupt|Exit)\b(: |$)", line)
    ]
    java = [line for line in lines if line.startswith("Caused by: ")]
    if "Traceback (most recent call last):" in text and python:
        chosen = next(
            (line for line in reversed(python) if not line.startswith(("org.", "java.", "py4j."))),
            python[-1],
        )
    elif java:
        chosen = java[-1].removeprefix("Caused by: ")
    else:
        chosen = next(
            (line for line in lines if not line.startswith("An error occurred while calling")),
            "no reason given",
        )
    return chosen.removeprefix(": ")[:300]


def _configured(master: str, settings: dict[str, str], work: Path) -> SparkConf:
    from pyspark import SparkConf, SparkContext

    if SparkContext._active_spark_context is not None:
        raise BackendError(
            "A Spark session is running in this process already; give it to run_import as spark=."
        )
    conf = SparkConf(loadDefaults=False)
    for name, value in {**_SETTINGS, **_places(master, work), **settings}.items():
        conf.set(name, from_here(value) if name in _FILES else value)
    return conf.setMaster(master).setAppName("topograph import")


def from_here(files: str) -> str:
    """Files, divided by commas, with the relative ones written in full; URLs stay.

    >>> from_here("hdfs:/env.zip#env,/a.jar")
    'hdfs:/env.zip#env,/a.jar'
    """
    return ",".join(
        file if not file or _WITH_SCHEME.match(file) else os.path.abspath(file)  # noqa: PTH100
        for file in files.split(",")
    )


def _context(java: Java, conf: SparkConf, log: Path) -> SparkContext:
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.errors import PySparkException

    try:
        gateway = java.gateway()
        return SparkContext(gateway=gateway, conf=_completed(conf, gateway))
    except (Py4JError, PySparkException, OSError) as error:
        raise BackendError(f"Spark did not start: {cause(str(error))} (details: {log})") from error


def _completed(conf: SparkConf, gateway: Any) -> SparkConf:
    """The settings together with those of spark-defaults.conf, which the Java side has read."""
    from pyspark import SparkConf

    complete = SparkConf(loadDefaults=True, _jvm=gateway.jvm)
    for name, value in conf.getAll():
        complete.set(name, value)
    return complete


def _places(master: str, work: Path) -> dict[str, str]:
    """Settings that depend on this machine and the master."""
    options = (
        f"-Dlog4j2.configurationFile=file:{work / 'log4j2.properties'} "
        f"-Djava.io.tmpdir={work} -XX:+UseSerialGC"
    )
    if _on_this_machine(master):
        # Nothing runs long enough to pay for the better of the two compilers: it takes more than
        # half of the time of a small import.
        options += " -XX:TieredStopAtLevel=1"
    places = {
        "spark.driver.extraJavaOptions": options,
        "spark.driver.memory": "1g",
        "spark.sql.warehouse.dir": (work / "warehouse").as_uri(),
    }
    if _on_this_machine(master):
        places["spark.local.dir"] = str(work)
        if _own_package() is not None:
            places["spark.python.daemon.module"] = DAEMON
    if _on_loopback(master):
        places["spark.driver.host"] = "127.0.0.1"
        places["spark.driver.bindAddress"] = "127.0.0.1"
    return places


def _on_this_machine(master: str) -> bool:
    """True where the workers are children of this process's Java."""
    return master.startswith("local") and not master.startswith("local-cluster")


def _on_loopback(master: str) -> bool:
    """True where all of Spark runs on this machine, so that nothing need listen on its network
    addresses.
    """
    if master.startswith("local"):
        return True
    hosts = [urlsplit(f"//{place}").hostname for place in master.partition("://")[2].split(",")]
    return all(host in ("localhost", "127.0.0.1", "::1") for host in hosts)


def _own_package() -> Path | None:
    """The folder of the package that runs here, which workers of this machine import; None where
    it lies in an archive."""
    package = Path(version.__file__).parent
    return package if package.is_dir() else None


_SET_BY_PYSPARK = ("SPARK_AUTH_SOCKET_TIMEOUT", "SPARK_BUFFER_SIZE")
"""Variables that a session leaves in the environment of the driver."""


@contextlib.contextmanager
def _environment(master: str, work: Path) -> Iterator[None]:
    """The environment that Spark's scripts and workers read, put back at the end."""
    import pyspark

    wanted = safe(os.environ)
    if master.startswith("local") or not os.environ.get("PYSPARK_PYTHON"):
        # The workers of this machine run in the Python that runs us, never in another of the PATH.
        wanted["PYSPARK_PYTHON"] = sys.executable
    if master.startswith("local") or not os.environ.get("SPARK_HOME"):
        # On this machine the jars of another Spark would not fit the pyspark that is imported. For
        # a cluster PySpark's own search would begin in the folder above the working directory.
        wanted["SPARK_HOME"] = _own_spark(Path(pyspark.__file__).parent)
    wanted["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if _on_loopback(master) and not os.environ.get("SPARK_LOCAL_IP"):
        wanted["SPARK_LOCAL_IP"] = "127.0.0.1"
    if _on_this_machine(master) and (package := _own_package()) is not None:
        # The very package that runs here, whether it is installed or not, and compiled already.
        # Nothing else of its folder.
        (work / "package").mkdir()
        (work / "package" / "topograph").symlink_to(package.resolve(), target_is_directory=True)
        wanted["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(work / "package"), wanted.get("PYTHONPATH")])
        )
    before = {name: os.environ.get(name) for name in (*wanted, *_SET_BY_PYSPARK)}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _own_spark(package: Path) -> str:
    """The Spark that the installed pyspark belongs to: beside it in the package, or around it."""
    for home in (package / "spark-distribution", package, package.parents[1]):
        if (home / "bin" / "spark-submit").is_file():
            return str(home)
    return str(package)


@contextlib.contextmanager
def safe_workers(context: SparkContext) -> Iterator[None]:
    """The workers of a session of somebody else's look for no modules in their working directory
    either, meanwhile."""
    before = dict(context.environment)
    context.environment[SAFE] = "1"
    try:
        yield
    finally:
        context.environment.clear()
        context.environment.update(before)


@contextlib.contextmanager
def _logged(log: Path) -> Iterator[None]:
    """What py4j logs (a traceback when a call is interrupted) goes to the log; without any
    handler Python would print it. After a failure that is so for threads too that are still in a
    call, and learn later that their Java is gone.
    """
    handler = logging.FileHandler(log, encoding="utf-8", delay=True)
    logging.getLogger().addHandler(handler)
    try:
        yield
    except BaseException:
        if not any(isinstance(one, _Unsaid) for one in logging.getLogger().handlers):
            logging.getLogger().addHandler(_Unsaid())
        raise
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


class _Unsaid(logging.Handler):
    """Says nothing of what py4j logs, and whatever else nobody handles as Python would."""

    def emit(self, record: logging.LogRecord) -> None:
        alone = all(isinstance(one, _Unsaid) for one in logging.getLogger().handlers)
        last = logging.lastResort
        if last is None or record.levelno < last.level or not alone:
            return
        if Path(record.pathname).parent.name != "py4j":
            last.handle(record)


@contextlib.contextmanager
def quiet_pandas() -> Iterator[None]:
    """Spark warns of pandas 3 whenever Arrow functions are used; no pandas object is ever made
    here.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "PySpark does not yet fully support pandas", FutureWarning
        )
        warnings.filterwarnings("ignore", category=ResourceWarning, module=r"py4j\..*")
        yield


def _leave_accumulators_alone(context: SparkContext, log: Path) -> None:
    """The thread that reads Spark's accumulators looks once a second whether it is to end, and
    PySpark waits for that; here it is told, and ends while others go on. A Java that ends before
    Spark is stopped leaves it with half a message: that goes to the log, where it would print a
    traceback.
    """
    server: Any = context._accumulatorServer
    shutdown: Callable[[], None] = server.shutdown

    def told() -> None:
        server.server_shutdown = True
        threading.Thread(target=shutdown, name="end of accumulators", daemon=True).start()

    def logged(*_: object) -> None:
        if not server.server_shutdown:
            with contextlib.suppress(OSError), log.open("a", encoding="utf-8") as file:
                file.write(f"\nreading accumulators:\n{traceback.format_exc()}\n")

    server.shutdown, server.handle_error = told, logged


def _stop(context: SparkContext) -> None:
    """Stop Spark; ``Java.end`` ends its Java. An interrupt meanwhile must not leave it running."""
    from pyspark.sql import SparkSession

    with held_back(), contextlib.suppress(Exception):
        # A Java that is already gone cannot be told to stop, and that is what is wanted.
        (SparkSession._instantiatedSession or context).stop()
