"""An import from and to S3: a server of it on this machine, and Hadoop's own ``s3a`` file system.

Neither is installed with the rest: ``./dev s3`` does, and runs this. Of the AWS SDK only the parts
that ``s3a`` needs are fetched (15 MB), not the bundle of all services (600 MB).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote

import pytest
from stored_estate import tables, write_estate

from topograph.pipeline.hadoop import hadoop_version
from topograph.pipeline.kept_parts import LISTED, PARTS
from topograph.store.neo4j_jars import MAVEN_CENTRAL
from topograph.store.parquet import open_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.alone, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".venv" / "s3"


@pytest.fixture(scope="session")
def jars() -> list[Path]:
    """Hadoop's ``s3a`` and what it needs, fetched once."""
    import pyspark

    if not (TOOLS / "bin" / "moto_server").is_file():
        pytest.skip("there is no S3 server; ./dev s3 installs one and runs this test")
    here = os.environ.get("SPARK_HOME")
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    needed = hadoop_version()
    os.environ.pop("SPARK_HOME")
    if here is not None:
        os.environ["SPARK_HOME"] = here
    found = []
    for line in (ROOT / "requirements" / "s3_jars.txt").read_text().splitlines():
        coordinates, sha256 = line.split()
        group, artifact, version = coordinates.split(":")
        if artifact == "hadoop-aws" and version != needed:
            pytest.skip(f"requirements/s3_jars.txt is for Hadoop {version}, Spark has {needed}")
        target = TOOLS / "jars" / f"{artifact}-{version}.jar"
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            place = f"{MAVEN_CENTRAL}/{group.replace('.', '/')}/{artifact}/{version}/{target.name}"
            try:
                with urllib.request.urlopen(place, timeout=60) as answer:
                    target.write_bytes(answer.read())
            except (URLError, TimeoutError) as error:
                pytest.skip(f"{target.name} cannot be fetched: {error}")
        assert hashlib.sha256(target.read_bytes()).hexdigest() == sha256, target
        found.append(target)
    return found


class Bucket:
    """A bucket of the server, written and read without any client."""

    def __init__(self, port: int) -> None:
        self.endpoint = f"http://127.0.0.1:{port}"
        self._ask("PUT", "")

    def put(self, key: str, data: bytes) -> None:
        self._ask("PUT", f"/{quote(key)}", data)

    def get(self, key: str) -> bytes:
        return self._ask("GET", f"/{quote(key)}")

    def keys(self, prefix: str) -> list[str]:
        text = self._ask("GET", f"?list-type=2&prefix={quote(prefix)}").decode()
        return re.findall("<Key>([^<]*)</Key>", text)

    def _ask(self, method: str, what: str, data: bytes | None = None) -> bytes:
        headers = {
            "Content-Type": "application/octet-stream",
            # Nobody checks the signature; without one the server takes no key for known.
            "Authorization": "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request, "
            "SignedHeaders=host, Signature=0",
        }
        request = urllib.request.Request(
            f"{self.endpoint}/bucket{what}", data, headers, method=method
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            found: bytes = answer.read()
        return found


@pytest.fixture
def bucket(jars: list[Path], tmp_path: Path) -> Iterator[Bucket]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with (tmp_path / "moto.log").open("w") as log:
        server = subprocess.Popen(
            [TOOLS / "bin" / "moto_server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=log,
            stderr=log,
            cwd=tmp_path,
        )
    try:
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            assert time.monotonic() < deadline, (tmp_path / "moto.log").read_text()
            time.sleep(0.1)
        yield Bucket(port)
    finally:
        server.terminate()
        server.wait(timeout=20)


def imported(
    tmp_path: Path, *arguments: object, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "topograph", "import", *map(str, arguments), "--neo4j", "none"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TOPOGRAPH_HOME": str(tmp_path / "home"), **environment},
        timeout=300,
        check=False,
    )


def settings(jars: list[Path], bucket: Bucket) -> list[str]:
    properties = {
        "spark.jars": ",".join(map(str, jars)),
        "spark.hadoop.fs.s3a.endpoint": bucket.endpoint,
        "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.access.key": "key",
        "spark.hadoop.fs.s3a.secret.key": "secret",
        # This server knows nothing of 100 Continue.
        "spark.hadoop.fs.s3a.connection.expect.continue": "false",
    }
    return [
        word for name, value in properties.items() for word in ("--spark-conf", f"{name}={value}")
    ]


def test_an_import_from_and_to_s3_equals_a_local_one(
    bucket: Bucket, jars: list[Path], tmp_path: Path
) -> None:
    estate = write_estate(tmp_path / "estate")
    for path in sorted(estate.rglob("*")):
        if path.is_file():
            bucket.put(f"in/estate/{path.relative_to(estate).as_posix()}", path.read_bytes())
    done = imported(tmp_path, estate, "-o", tmp_path / "local")
    assert done.returncode == 0, done.stderr
    done = imported(
        tmp_path, "s3a://bucket/in/estate", "-o", "s3a://bucket/out/estate", *settings(jars, bucket)
    )
    assert done.returncode == 0, done.stderr
    assert "aws s3 sync s3://bucket/out/estate FOLDER" in done.stdout
    for key in bucket.keys("out/estate/"):
        copy = tmp_path / "copy" / key.removeprefix("out/estate/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(bucket.get(key))
    assert tables(tmp_path / "copy") == tables(tmp_path / "local")
    copied, local = open_snapshot(tmp_path / "copy"), open_snapshot(tmp_path / "local")
    assert copied.id == local.id
    assert copied.facts("estate") == local.facts("estate")
    named = {f"out/estate/{file.path}" for file in copied.manifest.files}
    run = json.loads(bucket.get("out/estate/manifest.json"))["run"]
    assert set(bucket.keys("out/estate/")) == {
        *named,
        "out/estate/manifest.json",
        *(f"out/estate/data/{run}/{name}" for name in ("inputs.json", LISTED, PARTS)),
    }
    # Again, with one more file: the others are compared, as they were written just now.
    again = [*settings(jars, bucket), "--previous", "s3a://bucket/out/estate"]
    for unchanged, added in (("1 of 1", b"server = N\n"), ("0 of 1", b"")):
        done = imported(tmp_path, "s3a://bucket/in/estate", "-o", "s3a://bucket/out/estate", *again)
        assert done.returncode == 0, done.stderr
        assert f"{unchanged} network unchanged" in done.stderr
        if added:
            bucket.put("in/estate/new.conf", added)
            (estate / "new.conf").write_bytes(added)
    done = imported(tmp_path, estate, "-o", tmp_path / "local")
    assert done.returncode == 0, done.stderr
    manifests = [
        json.loads(bucket.get("out/estate/manifest.json")),
        json.loads((tmp_path / "local" / "manifest.json").read_text()),
    ]
    there, here = ({n: t["digest"] for n, t in one["tables"].items()} for one in manifests)
    assert (manifests[0]["id"], there) == (manifests[1]["id"], here)
    # A server that refuses everything is told, and leaves nothing behind.
    failed = imported(tmp_path, "s3a://none/x", "-o", tmp_path / "no", *settings(jars, bucket))
    assert failed.returncode == 4, failed.stderr
    assert "s3a://none/x cannot be reached" in failed.stderr
    assert not (tmp_path / "no").exists()
