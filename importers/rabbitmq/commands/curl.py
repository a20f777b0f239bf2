"""Requests that ``curl`` sends to the management API (rabbitmq.md 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from topograph.credentials import SET
from topograph.facts.rabbit_commands import HERE
from topograph.importers.rabbitmq.commands.calls import Fields, Given, NotKnown, NotMeant
from topograph.importers.rabbitmq.commands.definitions import imported
from topograph.importers.rabbitmq.commands.management import Request, fields_of
from topograph.importers.shell import Line

PROGRAMS = frozenset({"curl", "curl.exe"})

_URL = re.compile(
    r"(?:https?://)?+(?:[^@/?#]*+@)?+(?P<host>\[[^\]/]*+\]|[^:/?#]*+)(?::(?P<port>[^/?#]*+))?+"
    r"(?P<prefix>(?:/(?!api/)[^/?#]*+)*+)/api/(?P<path>[^?#]*+)(?:\?(?P<query>[^#]*+))?+",
    re.IGNORECASE,
)
_OF_RABBITMQ = frozenset(
    {
        "bindings", "cluster-name", "definitions", "exchanges", "federation-links",
        "global-parameters", "operator-policies", "parameters", "permissions", "policies",
        "queues", "shovels", "topic-permissions", "user-limits", "vhost-limits", "vhosts",
    }
)  # fmt: skip
"""First parts of paths that tell the API of RabbitMQ from others."""
_PORTS = ("15672", "15671")

_VALUED = frozenset(
    {
        "--request", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json", "--user",
        "--header", "--output", "--url", "--upload-file", "--user-agent", "--max-time",
        "--connect-timeout", "--retry", "--retry-delay", "--retry-max-time", "--cacert", "--cert",
        "--key", "--write-out", "--resolve", "--proxy", "--interface", "--data-urlencode", "--form",
        "--cookie", "--referer", "--unix-socket", "--connect-to", "--netrc-file", "--config",
    }
)  # fmt: skip
_FLAGS = frozenset(
    {"-s", "-S", "-f", "-k", "-i", "-v", "-L", "-g", "--silent", "--show-error", "--fail",
     "--insecure", "--include", "--verbose", "--location", "--globoff", "--fail-with-body",
     "--compressed", "--http1.1", "--path-as-is"}
)  # fmt: skip
_SHORT = {
    "-X": "--request", "-d": "--data", "-u": "--user", "-H": "--header", "-o": "--output",
    "-T": "--upload-file", "-A": "--user-agent", "-m": "--max-time", "-w": "--write-out",
    "-E": "--cert", "-x": "--proxy", "-F": "--form", "-b": "--cookie", "-e": "--referer",
    "-I": "--head", "-G": "--get", "-K": "--config",
}  # fmt: skip
_SECRET = ("--user", "--cert", "--key", "--proxy", "--cookie")
_SECRET_HEADER = re.compile(r"auth|token|key|cookie|secret", re.IGNORECASE)
_USER = re.compile(r"[A-Za-z][\w.-]{0,40}\Z")
_TOGETHER = re.compile(r"-[A-Za-z#]{2}")
_BODIES = ("--data", "--data-raw", "--data-binary", "--data-ascii", "--json")


def asks_rabbitmq(url: str) -> bool:
    """Whether a URL is one of the management API of RabbitMQ."""
    found = _URL.match(url)
    if found is None:
        return False
    first = found["path"].partition("/")[0]
    return first in _OF_RABBITMQ or found["port"] in _PORTS


def read(given: Given) -> Sequence[Fields]:
    """What a request says; nothing of one to anybody else. Raises NotMeant, NotKnown."""
    given.divide(_apart(given.call.words[1:]), _VALUED, _SHORT, _SECRET, _FLAGS)
    given.shown = [
        SET if before == "--header" and _SECRET_HEADER.search(one.partition(":")[0]) else one
        for before, one in zip(["", *given.shown], given.shown, strict=False)
    ]
    options = given.options
    user, colon, _ = options.get("--user", "").partition(":")
    if colon and _USER.match(user):  # who sends it decides, the password does not
        given.shown[given.shown.index("'--user'") + 1] = f"{user}:{SET}"
    url = options.get("--url") or next(
        (one for one in given.arguments if "/" in one or "$" in one), ""
    )
    method = _method(options)
    found = _URL.match(url)
    if found is None or not asks_rabbitmq(url):
        if method != "GET" and _may_be_rabbitmq(given, url, found is not None):
            raise NotKnown("where it leads is known only when the script runs")
        return ()
    given.connected = _host(given, found["host"])
    if method == "GET":
        return ()
    path = tuple(unquote(one) for one in found["path"].rstrip("/").split("/"))
    if path[0] == "definitions" and method == "POST":
        into = path[1] if len(path) > 1 else None
        return tuple(imported(given, _body(given), into))
    text = "\n".join(line.text for line in _body(given)) if _has_body(options) else ""
    body = given.object(text, "what it sends") if method in ("PUT", "POST") else {}
    one = fields_of(given, Request(method, path, found["query"] or "", body, user))
    return () if one is None else (one,)


def _may_be_rabbitmq(given: Given, url: str, whole: bool) -> bool:
    """Whether a URL of which a part is not known may be one of RabbitMQ."""
    if not given.unknown(url) or whole:
        return False
    names = _OF_RABBITMQ & set(url.replace("?", "/").split("/"))
    return bool(names) or url.startswith("$")


def _host(given: Given, host: str) -> str:
    if not host or given.unknown(host):
        return HERE
    return host.strip("[]")


def _method(options: dict[str, str]) -> str:
    if "--request" in options:
        return options["--request"].upper()
    if "--upload-file" in options:
        return "PUT"
    sends = _has_body(options) and "--get" not in options
    return "POST" if sends or "--form" in options else "GET"


def _has_body(options: dict[str, str]) -> bool:
    return any(one in options for one in (*_BODIES, "--upload-file"))


def _body(given: Given) -> tuple[Line, ...]:
    """The lines that a request sends. Raises NotMeant, NotKnown."""
    options = given.options
    if "--upload-file" in options:
        name = options["--upload-file"]
        return given.input() if name in ("-", ".") else given.file(name)
    name = next((one for one in _BODIES if one in options), "")
    text = options.get(name, "")
    if text.startswith("@") and name != "--data-raw":
        return given.input() if text == "@-" else given.file(text[1:])
    if not text and not name:
        raise NotMeant("it sends nothing")
    return tuple(Line(given.source.line, one) for one in text.split("\n"))


def _apart(words: Sequence[str]) -> list[str]:
    """Flags that are written together (``-sSX PUT``), apart."""
    found: list[str] = []
    takes = False
    for word in words:
        if takes or not _TOGETHER.match(word):
            takes = not takes and (_SHORT.get(word, word) in _VALUED)
            found.append(word)
            continue
        at = 1
        while at < len(word):
            flag = f"-{word[at]}"
            if _SHORT.get(flag) in _VALUED:
                rest = word[at + 1 :]
                found += [flag, rest] if rest else [flag]
                takes = not rest
                break
            found.append(flag)
            at += 1
    return found
