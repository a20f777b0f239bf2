"""One server of Open Liberty on 127.0.0.1, for as long as a ``with`` block lasts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from golden.recorders.liberty.runtime import Runtime
from golden.recorders.processes import end, free_ports, wait_until

NAME = "recorded"
_STARTED = ("CWSID0108I", "CWWKZ0001I", "CWWKF0011I")
"""The messages of the engine, of the application and of the server that they have started."""
_SECONDS = 240
_NOT_THE_ESTATE = """<server>
  <featureManager>
    <feature>wasJmsServer-1.0</feature><feature>wasJmsClient-2.0</feature>
    <feature>servlet-4.0</feature><feature>jndi-1.0</feature>
  </featureManager>
  <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="{http}" httpsPort="-1"/>
  <wasJmsEndpoint host="127.0.0.1" wasJmsPort="{jms}" wasJmsSSLPort="{ssl}"/>
  <jmsConnectionFactory jndiName="jms/low">
    <properties.wasJms nonPersistentMapping="BestEffortNonPersistent"
      persistentMapping="ReliablePersistent"/>
  </jmsConnectionFactory>
  <jmsConnectionFactory jndiName="jms/middle"><properties.wasJms/></jmsConnectionFactory>
  <jmsConnectionFactory jndiName="jms/high">
    <properties.wasJms nonPersistentMapping="ReliableNonPersistent"
      persistentMapping="AssuredPersistent"/>
  </jmsConnectionFactory>
</server>
"""

FACTORIES = {
    "BEST_EFFORT_NONPERSISTENT": ("low", False),
    "EXPRESS_NONPERSISTENT": ("middle", False),
    "RELIABLE_NONPERSISTENT": ("high", False),
    "RELIABLE_PERSISTENT": ("middle", True),
    "ASSURED_PERSISTENT": ("high", True),
}
"""The connection factory, and whether messages are persistent, that give each reliability."""


class Engine:
    """A started server, asked through the probe."""

    def __init__(self, port: int) -> None:
        self._at = f"http://127.0.0.1:{port}/probe"

    def ask(self, do: str, reliability: str = "RELIABLE_PERSISTENT", **more: Any) -> dict[str, Any]:
        """What the probe answers (``Probe.java`` says which parameters there are)."""
        factory, persistent = FACTORIES[reliability]
        given = {"factory": factory, "persistent": str(persistent).lower(), **more}
        data = urllib.parse.urlencode(given, doseq=True).encode()
        with urllib.request.urlopen(f"{self._at}/{do}", data=data, timeout=120) as answer:
            found: dict[str, Any] = json.load(answer)
        return found


@contextmanager
def started(runtime: Runtime, server_xml: str) -> Iterator[Engine]:
    """A server with this server.xml and nothing in its queues; it is ended, and its files are
    removed, with the block. Raises RuntimeError with the end of its log if it does not start."""
    with tempfile.TemporaryDirectory(prefix="liberty-") as folder:
        place = Path(folder) / "servers" / NAME
        http, jms, ssl = free_ports(3)
        (place / "configDropins" / "defaults").mkdir(parents=True)
        (place / "configDropins" / "defaults" / "probe.xml").write_text(
            _NOT_THE_ESTATE.format(http=http, jms=jms, ssl=ssl), encoding="utf-8"
        )
        (place / "server.xml").write_text(server_xml, encoding="utf-8")
        shutil.copytree(runtime.probe, place / "dropins" / "probe.war")
        boot = runtime.wlp / "bin" / "tools"
        process = subprocess.Popen(
            [runtime.java, f"@{runtime.wlp}/lib/platform/java/java9.options",
             f"-javaagent:{boot}/ws-javaagent.jar", "-jar", f"{boot}/ws-server.jar",
             NAME, "--clean"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "WLP_USER_DIR": folder, "WLP_OUTPUT_DIR": f"{folder}/servers"},
        )  # fmt: skip
        try:
            log = place / "logs" / "messages.log"
            wait_until(lambda: _has_started(log), process, log, _SECONDS)
            yield Engine(http)
        finally:
            end(process)


def _has_started(log: Path) -> bool:
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    return all(one in text for one in _STARTED)
