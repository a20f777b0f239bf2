"""Answers of other commands in a report: their JSON, checked, as facts and tables. What they say
is of unknown origin.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from topograph.credentials import without_credentials
from topograph.errors import InputError, UsageError
from topograph.questions.records import QUESTIONS
from topograph.questions.texts.layout import count
from topograph.reporting.inventory import SHOWN
from topograph.reporting.report import AnswerShown, ShownTable

LARGEST = 64 * 2**20
"""Bytes of a file with an answer."""

_ASIDE = frozenset(
    {
        "question",
        "snapshot",
        "network",
        "engine",
        "redaction",
        "exact",
        "inexact_because",
        "message",
    }
)
"""Fields that stand in no list of facts: what they say is in the title, or beside the section."""

_COLUMNS = 8


def read_answer(data: bytes, name: str) -> Mapping[str, Any]:
    """The answer in a file that a command wrote with ``--format json``. Raises InputError where
    it is none.
    """
    if len(data) > LARGEST:
        raise InputError(f"{name} is larger than an answer may be ({LARGEST // 2**20} MB).")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        where = f":{error.lineno}:{error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(
            f"{name}{where}: this is not JSON. Write the answer with --format json."
        ) from None
    known = {question.name for question in QUESTIONS}
    if not isinstance(found, dict) or str(found.get("question")) not in known:
        raise InputError(
            f"{name} is not an answer of topograph: it has no question. Write it with "
            "--format json."
        )
    texts = (found.get(field, "") for field in ("snapshot", "network", "redaction"))
    if not all(isinstance(one, str) for one in texts) or not found.get("snapshot"):
        raise InputError(
            f"{name} is not an answer of topograph: it names no snapshot. Write it with "
            "--format json."
        )
    return found


def shown(answer: Mapping[str, Any], file: str, snapshot: str, redaction: str) -> AnswerShown:
    """An answer as a section. ``snapshot`` and ``redaction`` are those of the report. Raises
    UsageError where the report is redacted and the answer is not, or by another key: it would
    say what the report must not."""
    if redaction and answer.get("redaction", "") != redaction:
        raise UsageError(
            f"{file} was not redacted with the key of this snapshot ({redaction}): ask "
            "the question of this snapshot."
        )
    question = str(answer["question"])
    asked = [
        str(answer[field])
        for field in ("from", "to", "destination", "what")
        if isinstance(answer.get(field), str)
    ]
    lists = {
        name: value
        for name, value in answer.items()
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
    }
    facts = [
        (name.replace("_", " "), _text(value))
        for name, value in answer.items()
        if name not in _ASIDE and name not in lists and value not in (None, "", [], {})
    ]
    facts += [
        (name.replace("_", " "), count(len(rows), "entry", "entries"))
        for name, rows in lists.items()
    ]
    if answer.get("exact") is False:
        causes = [one["message"] for one in answer.get("inexact_because", ())]
        facts.insert(0, ("exact", f"no: {'; '.join(causes) or 'this answer may be incomplete'}"))
    return AnswerShown(
        without_credentials(" ".join(filter(None, (question, *asked)))),
        file,
        answer["snapshot"] == snapshot,
        tuple((name, without_credentials(text)) for name, text in facts),
        tuple(_table(name, rows) for name, rows in lists.items()),
    )


def _table(name: str, rows: Sequence[Mapping[str, Any]]) -> ShownTable:
    """The first rows of a list, with the columns that say anything."""
    first = rows[:SHOWN]
    columns = list(
        dict.fromkeys(
            str(key)
            for row in first
            for key, value in row.items()
            if value not in (None, "", [], {})
        )
    )
    texts = tuple(
        {str(key): without_credentials(_text(value)) for key, value in row.items()} for row in first
    )
    return ShownTable(name.replace("_", " "), tuple(columns[:_COLUMNS]), texts, len(rows))


def _text(value: object, depth: int = 0) -> str:
    """A value for people: places as ``file:line``, lists with commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return ""
    if depth > 3:
        return "…"
    if isinstance(value, Mapping):
        if "file" in value and "line" in value:
            return ":".join(str(value[key]) for key in ("file", "line", "column") if value.get(key))
        return ", ".join(
            f"{key}: {text}" for key, item in value.items() if (text := _text(item, depth + 1))
        )
    if isinstance(value, list):
        many = f" and {len(value) - 20:,} more" if len(value) > 20 else ""
        return ", ".join(_text(item, depth + 1) for item in value[:20]) + many
    return str(value)
