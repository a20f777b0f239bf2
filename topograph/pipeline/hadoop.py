"""Files behind Hadoop's file systems (``s3a://``, ``abfss://``, ``gs://``, ``hdfs://``): what an
import needs of them.

They are asked in Java. The driver asks the Java of its own Spark; a worker of Python has no Java to
talk to, and starts one (``hadoop_java``) when it first reads or writes such a file, with the
settings that ``use`` was given. The content of files goes through local files, since py4j moves
some megabytes a second only.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topograph.credentials import without_user_info
from topograph.errors import BackendError, TopographError, UsageError
from topograph.local_paths import scheme_of
from topograph.records import record

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SMALL = 2**16
"""Bytes of a file up to which it comes through py4j: for more, a file between is faster."""

_BUFFER = 2**16

Properties = tuple[tuple[str, str], ...]
"""Hadoop's properties by name."""


class StorageUnreachable(BackendError):
    """Storage, or the Java that is to reach it, does not answer."""


@record
class Entry:
    """A file or folder in a listing: ``place`` is its whole URL, ``modified`` in milliseconds."""

    place: str
    size: int
    modified: int
    is_folder: bool = False
    is_link: bool = False


class HadoopFiles:
    """Hadoop's file systems as a Java that py4j talks to knows them.

    Raises FileNotFoundError where there is nothing, PermissionError where that may not be read or
    written, UsageError where Java has no file system for a scheme, and StorageUnreachable for what
    is no fault of a file.
    """

    def __init__(self, gateway: Any, configuration: Any) -> None:
        self._gateway = gateway
        self._configuration = configuration
        # Packages are looked up once: each name that is asked of ``jvm`` is a call.
        self._path = gateway.jvm.org.apache.hadoop.fs.Path
        self._first = gateway.jvm.org.apache.hadoop.util.LimitInputStream
        self._copy = gateway.jvm.org.apache.hadoop.io.IOUtils.copyBytes
        self._memory = gateway.jvm.java.io.ByteArrayOutputStream
        self._file = gateway.jvm.java.io.FileOutputStream
        self._source = gateway.jvm.java.io.FileInputStream
        self._systems: dict[str, Any] = {}

    def status(self, place: str) -> Entry:
        """What there is at a place; in an object store a folder is where files are below it."""
        with _told(place):
            path, system = self._of(place)
            listed = self._gateway.jvm.java.util.Collections.singletonList(
                system.getFileStatus(path)
            )
            return self._entries(listed.toArray(), 1)[0]

    def beginning(self, place: str, count: int) -> bytes:
        """The first bytes of a file, few of them."""
        with _told(place):
            path, system = self._of(place)
            sink = self._memory()
            self._copy(self._first(system.open(path), count), sink, _BUFFER, True)
            data: bytes = sink.toByteArray()
            return data

    def files_below(self, place: str) -> list[Entry]:
        """All files below a folder, or the file at ``place``; in no order. Linear in them; an
        object store is asked once a thousand files, another file system once a folder."""
        with _told(place):
            path, system = self._of(place)
            return self._all(system.listFiles(path, True))

    def entries(self, place: str) -> list[Entry]:
        """What lies in a folder, in no order."""
        with _told(place):
            path, system = self._of(place)
            return self._all(system.listStatusIterator(path))

    def read(self, place: str, limit: int, size: int = 0) -> bytes:
        """The content of a file, of about ``size`` bytes. Raises OSError for more than ``limit``
        bytes."""
        if size <= _SMALL:
            data = self.beginning(place, limit + 1)
        else:
            with _local_file() as local:
                self.fetch(place, local, limit + 1)
                data = local.read_bytes()
        if len(data) > limit:
            raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes", place)
        return data

    def fetch(self, place: str, local: Path, limit: int = 2**62) -> None:
        """Copy a file, up to ``limit`` bytes of it, to this machine."""
        with _told(place):
            path, system = self._of(place)
            source = self._first(system.open(path), limit)
            self._copy(source, self._file(str(local)), _BUFFER, True)

    def send(self, local: Path, place: str) -> None:
        """Copy a file of this machine to ``place``; one that is there is replaced."""
        with _told(place):
            path, system = self._of(place)
            self._copy(self._source(str(local)), system.create(path, True), _BUFFER, True)

    def write(self, data: bytes, place: str) -> None:
        """Write a file; one that is there is replaced. If that fails, no object store shows a
        part."""
        with _told(place):
            path, system = self._of(place)
            sink = system.create(path, True)
            sink.write(data)
            sink.close()

    def copy(self, place: str, onto: str) -> None:
        """Copy a file to another place in storage; one that is there is replaced."""
        with _told(place):
            path, system = self._of(place)
            target, other = self._of(onto)
            copied = self._gateway.jvm.org.apache.hadoop.fs.FileUtil.copy
            if not copied(system, path, other, target, False, True, self._configuration):
                raise OSError(errno.EIO, "it cannot be copied", place)

    def rename(self, place: str, onto: str) -> None:
        """Give a file another name in one step; a file of that name is replaced. Not for object
        stores, which copy."""
        with _told(place):
            contexts = self._gateway.jvm.org.apache.hadoop.fs.FileContext
            options = self._gateway.jvm.org.apache.hadoop.fs.Options.Rename
            path, _ = self._of(place)
            context = contexts.getFileContext(path.toUri(), self._configuration)
            words = self._gateway.new_array(options, 1)
            words[0] = options.OVERWRITE
            context.rename(path, self._path(onto), words)

    def remove(self, place: str) -> None:
        """Remove a file, or a folder with all that is in it; nothing where there is none."""
        with _told(place):
            path, system = self._of(place)
            system.delete(path, True)

    def _of(self, place: str) -> tuple[Any, Any]:
        """Hadoop's path of a place, and its file system."""
        path = self._path(place)
        root = place[: place.find("/", place.find("://") + 3)] if "://" in place else place
        if root not in self._systems:
            self._systems[root] = path.getFileSystem(self._configuration)
        return path, self._systems[root]

    def _all(self, statuses: Any) -> list[Entry]:
        """What an iterator of Java's gives."""
        listed = self._gateway.jvm.org.apache.hadoop.util.functional.RemoteIterators.toList(
            statuses
        )
        return self._entries(listed.toArray(), listed.size())

    def _entries(self, statuses: Any, count: int) -> list[Entry]:
        """Java's FileStatus as entries, in one call: each writes itself as a message of Google's
        Protocol Buffers (``FileStatusProto``)."""
        jvm = self._gateway.jvm
        kind = self._gateway.new_array(jvm.org.apache.hadoop.io.Writable, 0).getClass()
        writable = jvm.java.util.Arrays.copyOf(statuses, count, kind)
        return list(_entries(jvm.org.apache.hadoop.io.WritableUtils.toByteArray(writable), count))


_TYPE, _PATH, _LENGTH, _MODIFIED = 1, 2, 3, 7
"""Fields of ``FileStatusProto``."""
_FOLDER, _LINK = 1, 3
"""Values of its type."""


def _entries(data: bytes, count: int) -> Iterator[Entry]:
    """The messages at the beginning of ``data``, each behind its length in four bytes."""
    at = 0
    for _ in range(count):
        end = at + 4 + int.from_bytes(data[at : at + 4])
        yield _entry(data, at + 4, end)
        at = end


def _entry(data: bytes, at: int, end: int) -> Entry:
    numbers: dict[int, int] = {}
    place = ""
    while at < end:
        key, at = _varint(data, at)
        if key & 7 == 0:
            numbers[key >> 3], at = _varint(data, at)
        elif key & 7 == 2:
            length, at = _varint(data, at)
            if key >> 3 == _PATH:
                place = data[at : at + length].decode()
            at += length
        else:
            at += 8 if key & 7 == 1 else 4
    kind = numbers.get(_TYPE)
    return Entry(
        place, numbers.get(_LENGTH, 0), numbers.get(_MODIFIED, 0), kind == _FOLDER, kind == _LINK
    )


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins at a place, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7


@contextmanager
def _local_file() -> Iterator[Path]:
    descriptor, name = tempfile.mkstemp(prefix="topograph-file-")
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def _told(place: str) -> Iterator[None]:
    """What Java raises, as Python does; its text names no credentials of the URL."""
    from py4j.protocol import Py4JError, Py4JJavaError

    try:
        yield
    except Py4JJavaError as error:
        raise _error(error.java_exception, place) from None
    except Py4JError as error:
        raise _unreachable(place, f"Java does not answer ({type(error).__name__})") from None


def _unreachable(place: str, why: str) -> StorageUnreachable:
    shown = without_user_info(place, urls_only=True)
    return StorageUnreachable(
        f"{shown} cannot be reached: {without_user_info(why, urls_only=True)[:300]}"
    )


def _error(exception: Any, place: str) -> OSError | TopographError:
    with suppress(Exception):  # a Java that ended meanwhile cannot be asked any more
        named = exception.getClass().getSimpleName()
        text = str(exception.getMessage() or named).splitlines()[0]
        if named == "FileNotFoundException":
            return FileNotFoundError(errno.ENOENT, "No such file or directory", place)
        if named in ("AccessControlException", "AccessDeniedException"):
            return PermissionError(errno.EACCES, "Permission denied", place)
        if "No FileSystem for scheme" in text or "ClassNotFoundException" in text:
            return UsageError(_no_file_system(place))
        return _unreachable(place, f"{text} ({named})")
    return _unreachable(place, "Java does not answer")


_CONNECTORS = {
    "s3a": "org.apache.hadoop:hadoop-aws:{hadoop}",
    "abfs": "org.apache.hadoop:hadoop-azure:{hadoop}",
    "abfss": "org.apache.hadoop:hadoop-azure:{hadoop}",
    "wasb": "org.apache.hadoop:hadoop-azure:{hadoop}",
    "wasbs": "org.apache.hadoop:hadoop-azure:{hadoop}",
    "gs": "com.google.cloud.bigdataoss:gcs-connector:VERSION",
}
"""The package on Maven Central that has the file system of a scheme."""


def _no_file_system(place: str) -> str:
    scheme = scheme_of(place) or ""
    shown = without_user_info(place, urls_only=True)
    known = _CONNECTORS.get(scheme)
    if known is None:
        advice = "Add the jar of its connector with --spark-conf spark.jars=FILE"
        advice += ", or use s3a:// in place of s3://." if scheme == "s3" else "."
    else:
        package = known.format(hadoop=hadoop_version() or "VERSION")
        advice = f"Add it with --spark-conf spark.jars.packages={package}."
    return (
        f"{shown!r} cannot be reached: this Spark has no file system for {scheme}: URLs. {advice} "
        "Or use a path of mounted storage."
    )


def hadoop_version() -> str:
    """The version of Hadoop that the Spark of this process brings; empty if its jars do not say."""
    jars = Path(os.environ.get("SPARK_HOME", "")) / "jars"
    found = sorted(jars.glob("hadoop-client-api-*.jar"))
    return found[0].stem.removeprefix("hadoop-client-api-") if found else ""


def properties_of(configuration: Any, jvm: Any) -> Properties:
    """The properties of a Hadoop configuration that somebody set by ``spark.hadoop.…`` or in a
    program, not in the files of which every Java of the cluster reads its own."""
    from defusedxml.ElementTree import fromstring

    text = jvm.java.io.StringWriter()
    configuration.writeXml(text)
    root: Element = fromstring(text.toString())
    found = {
        str(each.findtext("name")): each.findtext("value") or ""
        for each in root.iter("property")
        if not (each.findtext("source") or "").endswith(".xml")
    }
    return tuple(sorted(found.items()))


_in_use: dict[str, Any] = {"properties": (), "files": None}
"""How this process reaches Hadoop's file systems (``use``, ``use_driver``)."""


def use_driver(gateway: Any, configuration: Any) -> None:
    """Have this process, the driver, ask the Java of its Spark, and workers get its properties."""
    _in_use["files"] = HadoopFiles(gateway, configuration)
    _in_use["properties"] = properties_of(configuration, gateway.jvm)


def end_driver() -> None:
    """Forget the Java of the driver, which is about to end."""
    _in_use["files"], _in_use["properties"] = None, ()


def in_use() -> Properties:
    """What workers are to be given for ``use``; empty where only paths are read and written."""
    found: Properties = _in_use["properties"]
    return found


def use(properties: Properties) -> None:
    """Have this process, a worker, reach Hadoop's file systems with these properties, by a Java of
    its own; it is started when it is first needed."""
    _in_use["properties"] = properties


def files() -> HadoopFiles:
    """Hadoop's file systems, as this process reaches them. Raises StorageUnreachable where no Java
    starts."""
    known: HadoopFiles | None = _in_use["files"]
    return known or _own_files(_in_use["properties"])


@lru_cache(maxsize=1)
def _own_files(properties: Properties) -> HadoopFiles:
    from topograph.pipeline.hadoop_java import started

    try:
        gateway = started()
    except OSError as error:
        raise StorageUnreachable(f"No Java starts that reads storage: {error.strerror}.") from error
    configuration = gateway.jvm.org.apache.hadoop.conf.Configuration()
    given: Mapping[str, str] = dict(properties)
    for name, value in given.items():
        configuration.set(name, value)
    return HadoopFiles(gateway, configuration)
