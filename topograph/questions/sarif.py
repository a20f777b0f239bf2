"""SARIF 2.1.0: what every file of it has, whatever its results are about."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from topograph.findings import Source
from topograph.rules import Remedy
from topograph.systems.registry import system
from topograph.systems.rule_texts import finding_kind, rules_of, systems_of, text_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
Json = dict[str, Any]


def document(
    results: Sequence[Json],
    version: str,
    described_as: Callable[[str], Json],
    properties: Mapping[str, object],
) -> str:
    """A file of one run: its results, and every rule that they name, as ``described_as`` has it.
    Paths are relative to the repository (``%SRCROOT%``).
    """
    run = {
        "tool": {
            "driver": {
                "name": "topograph",
                "version": version,
                "rules": [
                    described_as(rule) for rule in sorted({result["ruleId"] for result in results})
                ],
            }
        },
        "originalUriBaseIds": {
            "%SRCROOT%": {"description": {"text": "The folder that paths are relative to."}}
        },
        "columnKind": "unicodeCodePoints",
        "results": list(results),
        "properties": dict(properties),
    }
    whole = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def described(number: str) -> Json:
    """A rule, or a kind of finding that rests on none, as code scanning shows it: its name, what it
    says, and what can be done about what rests on it. Where several systems have the number, what
    each means by it."""
    holders = [(one, rules_of(one)[number]) for one in systems_of(number)]
    if not holders:
        words = number.replace("-", " ").capitalize()
        kind = finding_kind(number)
        remedies = [_general(kind.remedy)] if kind and kind.remedy else []
        return descriptor(number, words, f"{words}.", remedies)
    texts = [(system(one).title, text_of(rule)) for one, rule in holders]
    several = len(texts) > 1
    kinds = [kind for _, rule in holders for kind in rule.kinds if kind.remedy]
    remedies = [f"{kind.kind}: {_general(kind.remedy)}" for kind in kinds if kind.remedy]
    return descriptor(
        number,
        "; ".join(f"{of}: {text.name}" if several else text.name for of, text in texts),
        " ".join(f"{of}: {text.sentence}" if several else text.sentence for of, text in texts),
        remedies,
    )


def descriptor(number: str, name: str, sentence: str, remedies: Sequence[str]) -> Json:
    """A rule by its number, name and sentence, and what can be done."""
    return {
        "id": number,
        "name": name,
        "shortDescription": {"text": name},
        "fullDescription": {"text": sentence},
        "help": {"text": "\n".join([sentence, *remedies])},
    }


def _general(remedy: Remedy) -> str:
    """What to do and what it means, of no finding in particular."""
    text = f"{remedy.do} {remedy.means}"
    return text.replace("{server}", "the server").replace("{file}", "the file")


def location(source: Source) -> Json:
    """A place in a file of the repository."""
    found: Json = {"artifactLocation": {"uri": _uri(source.file), "uriBaseId": "%SRCROOT%"}}
    if source.line:
        region = {"startLine": source.line, "endLine": source.line}
        if source.column:
            region |= {"startColumn": source.column, "endColumn": source.column + 1}
        found["region"] = region
    return found


def _uri(path: str) -> str:
    return quote(path, safe="/!$&'()*+,;=@-._~")
