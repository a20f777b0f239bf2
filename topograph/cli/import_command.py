"""``topograph import``: configuration files into a snapshot, through Spark."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from topograph.cli.choices import LocalPath, StoragePath
from topograph.cli.defaults import DEFAULT_SNAPSHOT, SNAPSHOT_VARIABLE
from topograph.cli.options import UNREADABLE, file_options
from topograph.cli.terminal import say
from topograph.local_paths import copying, is_storage

if TYPE_CHECKING:
    from topograph.findings import Severity
    from topograph.pipeline.import_report import ImportReport, NetworkReport

VIOLATION = 1

_MASTER = re.compile(
    r"local(?:\[(?:\*|\d+)(?:\s*,\s*\d+)?\])?|local-cluster\[[\d\s,]+\]|yarn(?:-\w+)?|"
    r"(?:spark|k8s|mesos)://.+"
)
"""What Spark takes as a master; of anything else it says only that it did not start."""


@click.command("import")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=StoragePath())
@click.option(
    "-o",
    "--output",
    metavar="SNAPSHOT",
    type=StoragePath(readable=False),
    envvar=SNAPSHOT_VARIABLE,
    default=DEFAULT_SNAPSHOT,
    show_default=True,
    show_envvar=True,
    help="The snapshot to write. An existing one stays in use until the new one is complete. A "
    "folder that holds anything else, such as configuration files, is refused.",
)
@click.option(
    "--network",
    metavar="NAME",
    help="Name of the network, with a single PATH. Default: the last component of PATH.",
)
@click.option(
    "--config",
    metavar="FILE",
    type=LocalPath(),
    help="A topograph.yaml with what configuration files do not say, such as clients "
    "(docs/side-inputs.md). Default: the one at the root of PATH.",
)
@click.option(
    "--previous",
    metavar="SNAPSHOT",
    type=StoragePath(),
    help="A snapshot of the same PATHs, which may be the one to write. Files that did not change "
    "are not read again, and with few changes Spark is not started. If it does not exist yet, all "
    "files are read, which is the default.",
)
@file_options
@click.option(
    "--strict",
    is_flag=True,
    help="Report typographic quotes and other word-processor characters as errors instead of "
    "normalising them.",
)
@click.option(
    "--redact",
    is_flag=True,
    help="Replace hosts, users and client ids with stable tokens (docs/redaction.md).",
)
@click.option(
    "--master",
    metavar="URL",
    help="Spark master to import on (spark://…, yarn, k8s://…). Default: this machine.",
)
@click.option(
    "--spark-conf",
    metavar="KEY=VALUE",
    multiple=True,
    help="Spark property, for example spark.executor.memory=4g. Repeatable.",
)
@click.option(
    "--neo4j",
    metavar="auto|none|URI",
    default="auto",
    show_default=True,
    help="Where to publish the snapshot. auto: the configured Neo4j, or the one that topograph db "
    "start runs, if there is one.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    help="Exit with code 1 if there are findings of this severity or worse.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@click.pass_context
def import_command(
    context: click.Context,
    paths: tuple[str, ...],
    output: str,
    network: str | None,
    config: str | None,
    previous: str | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    strict: bool,
    redact: bool,
    master: str | None,
    spark_conf: tuple[str, ...],
    neo4j: str,
    fail_on: str | None,
    form: str,
    quiet: bool,
) -> None:
    """Read configuration files into a snapshot. Each PATH, a folder, file or archive, becomes one
    network. PATH and SNAPSHOT may be URLs of storage that Spark reads, such as s3a://BUCKET/FOLDER
    (docs/cluster.md).

    Files of TIBCO EMS, AMQ Interconnect, IBM MQ, WebSphere MQ Everyplace, SIBus and RabbitMQ are
    recognised
    by what they hold: configuration files, scripts of administration commands and what the
    administration tools list (docs/inputs.md). topograph show files says what became of each.

    \b
    Examples:
      # a folder, into ./topograph.snapshot
      topograph import examples/estate
      # two networks in one snapshot; questions then take --network
      topograph import examples/estate examples/routers -o both.snapshot
      # again, after one of many networks changed
      topograph import examples/estate examples/routers -o both.snapshot --previous both.snapshot
      # for a build: exit code 1 if reading the files finds an error
      topograph import examples/orders -o orders.snapshot --fail-on error
    """
    from topograph.cli.live_line import LiveLine
    from topograph.findings import Severity
    from topograph.opening.selection import Selection
    from topograph.process.packages import require

    require("pyspark")
    from topograph.pipeline.import_run import run_import

    if master is not None and not _MASTER.fullmatch(master):
        raise click.BadParameter(
            f"{master!r} is not the URL of a Spark master. Use local[*], local[N], "
            "spark://HOST:PORT, yarn or k8s://….",
            param_hint="'--master'",
        )
    settings = dict(_setting(text) for text in spark_conf)
    with LiveLine(io.StringIO() if quiet else sys.stderr) as line:
        report = run_import(
            paths,
            output,
            network=network,
            config=config,
            previous=previous,
            chosen=Selection(include, exclude),
            master=master,
            settings=settings,
            neo4j=neo4j,
            strict=strict,
            redact=redact,
            progress=line.end,
            begun=line.begin,
        )
    if form == "json":
        click.echo(json.dumps(report.to_dict(), indent=2))
    else:
        say(*summary(report, output))
    say(*(f"Warning: {warning}" for warning in report.warnings), err=True)
    context.exit(exit_code(report, Severity(fail_on) if fail_on else None))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.startswith("spark."):
        raise click.BadParameter(f"{text!r} is not spark.…=VALUE", param_hint="--spark-conf")
    return name, value


def exit_code(report: ImportReport, fail_on: Severity | None) -> int:
    """3 if a main file could not be read (said on standard error), 1 if there are findings of
    ``fail_on`` or worse, else 0.
    """
    unreadable = [file for network in report.networks for file in network.unreadable]
    for file in unreadable:
        say(f"Error: {file}: this main file cannot be read (topograph show findings).", err=True)
    if unreadable:
        return UNREADABLE
    return VIOLATION if fail_on is not None and report.findings(fail_on) else 0


def summary(report: ImportReport, output: str) -> Iterator[str]:
    """The text form: what was made, in a line or three a network, and where to look next."""
    yield f"Snapshot {report.snapshot} in {output}"
    if report.redaction:
        yield f"Hosts, users and client ids are redacted with the key {report.redaction}"
    if report.neo4j:
        yield f"Published to {report.neo4j}"
    for network in report.networks:
        yield ""
        yield from _network_lines(network)
    yield ""
    if is_storage(output):
        yield f"Look next: {copying(output)}, then topograph check -s FOLDER"
        return
    next_option = "" if output == DEFAULT_SNAPSHOT else f" -s {shlex.quote(output)}"
    worst = next(
        (
            severity
            for network in report.networks
            for severity, count in network.findings.items()
            if count
        ),
        "",
    )
    if worst:
        yield f"Look next: topograph show findings{next_option}, topograph check{next_option}"
    else:
        yield f"Look next: topograph check{next_option}"


def _network_lines(network: NetworkReport) -> Iterator[str]:
    from topograph.systems.registry import title

    named = ", ".join(title(system) for system in network.systems)
    yield f"{network.name} ({named})"
    yield (
        f"  {network.servers:,} servers, {network.links:,} links, {network.forwards:,} "
        f"forwards, {network.facts:,} facts"
    )
    files = sum(network.files.values())
    by_status = ", ".join(f"{count:,} {status}" for status, count in network.files.items())
    yield f"  {files:,} files: {by_status}"
    found = ", ".join(
        f"{count:,} {severity}" for severity, count in network.findings.items() if count
    )
    yield f"  findings: {found or 'none'}"
