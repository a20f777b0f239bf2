"""A change as a file: its scripts without their secrets, to be judged again on another snapshot
and compared with what is there once it went in.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from topograph.audit.changing_parts import ChangingNetwork, scripts_of
from topograph.audit.judging import GivenScript, language_of
from topograph.credentials import SENSITIVE_NAME, SET, without_arguments, without_user_info
from topograph.errors import InputError, UsageError
from topograph.facts.command import Command
from topograph.questions.answers import Caution
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.model import Model
from topograph.records import record
from topograph.version import __version__
from topograph.words.several import several

FORMAT = "topograph-change"
VERSION = 1


@record
class SavedScript:
    """A script as it was saved. ``text`` has the lines of the script, without secrets and
    comments; ``hidden`` are the lines of which something that decides was left out: a script
    with such lines cannot be replayed."""

    name: str
    server: str | None
    text: str
    hidden: tuple[int, ...] = ()

    @property
    def sha256(self) -> str:
        """The digest of the text as saved. That of the script itself would let anybody try
        passwords.
        """
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@record
class SavedChange:
    """The scripts of a change in order, the routes that were down, and what it was judged on."""

    scripts: tuple[SavedScript, ...]
    down: tuple[str, ...]
    snapshot: str
    network: str
    verdict: str
    revision: str = ""

    def given(self) -> list[GivenScript]:
        """The scripts to judge. Raises UsageError where one was not saved whole."""
        for script in self.scripts:
            if script.hidden:
                lines = ", ".join(map(str, script.hidden))
                raise UsageError(
                    f"{script.name} cannot be replayed: it had secrets in line {lines}, "
                    "which were not saved, and without them the commands are others. "
                    "Judge the script itself: --change."
                )
        return [
            GivenScript(one.text.encode("utf-8", "surrogatepass"), one.name, one.server)
            for one in self.scripts
        ]

    def beside_its_verdict(self, answer: AuditAnswer) -> AuditAnswer:
        """An answer on the same change, which says where it was judged otherwise."""
        if answer.verdict == self.verdict:
            return answer
        text = (
            f"when this change was saved, the verdict was {self.verdict}, on "
            f"{self.revision or f'snapshot {self.snapshot}'}"
        )
        return replace(answer, warnings=(*answer.warnings, Caution("verdict-changed", text)))

    def written(self) -> str:
        """The change as a JSON text."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "tool": __version__,
            "judged": {
                "snapshot": self.snapshot,
                "network": self.network,
                "revision": self.revision,
                "verdict": self.verdict,
            },
            "down": list(self.down),
            "scripts": [
                {
                    "name": one.name,
                    "server": one.server,
                    "sha256": one.sha256,
                    "hidden": list(one.hidden),
                    "text": one.text,
                }
                for one in self.scripts
            ],
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def change_of(
    model: Model, scripts: Sequence[GivenScript], down: str | Sequence[str], answer: AuditAnswer
) -> SavedChange:
    """The change that ``answer`` judged, to be saved. Linear in the scripts."""
    network = ChangingNetwork(model)
    return SavedChange(
        tuple(_saved(network, one) for one in scripts),
        several(down),
        answer.snapshot,
        answer.network,
        answer.verdict,
        model.revision,
    )


def read_change(data: bytes, name: str) -> SavedChange:
    """A change that was saved. Raises InputError for anything else, and for one that was altered
    since.
    """
    try:
        content = json.loads(data)
        if content["format"] != FORMAT:
            raise InputError(
                f"{name} is not a saved change. Save one with: topograph audit --change "
                f"FILE --save {name}"
            )
        if content["version"] != VERSION:
            raise InputError(
                f"{name} is a saved change of version {content['version']}; this "
                f"topograph reads version {VERSION}."
            )
        judged = content["judged"]
        scripts = tuple(_script(one) for one in content["scripts"])
        found = SavedChange(
            scripts,
            tuple(_text(one) for one in content["down"]),
            *(_text(judged[key]) for key in ("snapshot", "network", "verdict", "revision")),
        )
        digests = [_text(one["sha256"]) for one in content["scripts"]]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"{name} is not a saved change, or is damaged ({type(error).__name__})."
        ) from error
    for script, digest in zip(scripts, digests, strict=True):
        if script.sha256 != digest:
            raise InputError(
                f"{name}: the text of {script.name} was altered after it was saved. "
                "Judge the script itself: --change."
            )
    return found


def _script(entry: Any) -> SavedScript:
    server = entry["server"]
    if server is not None:
        _text(server)
    lines = entry["hidden"]
    if not isinstance(lines, list) or not all(type(one) is int for one in lines):
        raise TypeError
    return SavedScript(_text(entry["name"]), server, _text(entry["text"]), tuple(lines))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


_CONNECT = re.compile(r"([ \t]*+connect[ \t]++)(\S++)(.*)", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"[ \t]*+[#;*]")
_ASSIGNMENT = re.compile(r"[ \t]*+\w++[ \t]*+=(?!=)")
"""A line of a script with variables, one of which may hold the secret of a command."""
_LINE_END = re.compile(r"\r\n|\n|\r")


def _saved(network: ChangingNetwork, given: GivenScript) -> SavedScript:
    from topograph.importers.lexical import decode

    read = scripts_of(language_of(network, given)).read_script
    decoded = decode(given.data)
    text = "" if decoded is None else decoded.text
    commands = read(given.data, given.name).commands
    shown = _without_secrets(text, commands)
    again = read(shown.encode("utf-8", "surrogatepass"), given.name).commands
    kept = {(one.source.line, _content(one)) for one in again}
    hidden = sorted(
        {one.source.line for one in commands if (one.source.line, _content(one)) not in kept}
    )
    if not hidden and len(again) != len(commands):
        hidden = [again[0].source.line if again else 1]
    return SavedScript(given.name, given.at, shown, tuple(hidden))


def _content(command: Command) -> str:
    """What decides of a command: all of it but columns, which a secret left out may move."""
    from topograph.facts.plain import to_plain
    from topograph.facts.rows import without_places

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items() if key != "text"}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return sorted(map(str, value)) if isinstance(value, (set, frozenset)) else value

    return type(command).__name__ + without_places(
        json.dumps(plain(to_plain(command)), default=str)
    )


def _without_secrets(text: str, commands: Sequence[Command]) -> str:
    """The lines of a script in their places, without comments and secrets: a command that has
    any stands as the reader shows it.
    """
    lines = _LINE_END.split(text)
    starts = sorted({one.source.line for one in commands})
    first: dict[int, Command] = {}
    for command in commands:
        first.setdefault(command.source.line, command)
    of_command: dict[int, int] = {}
    for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        of_command |= dict.fromkeys(range(start, end), start)
    secrets = any(SET in command.text for command in commands)
    shown = []
    for number, line in enumerate(lines, 1):
        start = of_command.get(number, 0)
        connect = _CONNECT.fullmatch(line)
        if _COMMENT.match(line) or (secrets and number not in first and _ASSIGNMENT.match(line)):
            shown.append("")
        elif connect is not None:
            where = connect[2] if "://" in connect[2] else ""  # else it is a user
            shown.append(connect[1] + without_arguments(without_user_info(where)))
        elif start and (SET in first[start].text or _is_doubtful(line)):
            own = number == start
            indentation = line[: len(line) - len(line.lstrip())]
            shown.append(
                indentation + without_arguments(" ".join(first[start].text.split("\n")))
                if own
                else ""
            )
        else:
            shown.append("" if _is_doubtful(line) else line)
    return "\n".join(shown)


def _is_doubtful(line: str) -> bool:
    return (
        SENSITIVE_NAME.search(line) is not None
        or without_arguments(without_user_info(line)) != line
    )
