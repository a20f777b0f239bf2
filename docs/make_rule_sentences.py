"""Write what topograph says about rules and words: ``topograph/rules.json`` from the tables of
``docs/rules.md``, and ``topograph/reporting/words.json`` from the glossary.

Run it after one of them changed; a test compares the files with what this makes, and the tables
with the rules of the specifications.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parent / "topograph" / "rules.json"
WORDS = HERE.parent / "topograph" / "reporting" / "words.json"
SYSTEMS = {
    "TIBCO EMS": "ems",
    "AMQ Interconnect": "amq_interconnect",
    "SIBus": "sibus",
    "MQe": "mqe",
    "IBM MQ": "ibm_mq",
}
"""The headings of ``rules.md``, and the systems."""
ROW = re.compile(r"^\| ([A-Z][A-Z0-9.-]+|[0-9]\.[0-9]) \| ([^|]+) \| ([^|]+) \|$")


def rules(text: str) -> dict[str, dict[str, list[str]]]:
    """By system and rule the name and the sentence. Raises ValueError where a rule stands twice."""
    found: dict[str, dict[str, list[str]]] = {}
    system = ""
    for line in text.splitlines():
        if line.startswith("## "):
            system = SYSTEMS[line[3:]]
        elif row := ROW.match(line):
            rule, name, sentence = (cell.replace("`", "") for cell in row.groups())
            if rule in found.setdefault(system, {}):
                raise ValueError(f"{rule} of {system} stands twice")
            found[system][rule] = [name, sentence]
    return found


def words(text: str) -> dict[str, str]:
    """By word what the glossary says of it."""
    found = re.findall(r"^\| \*\*([^*]+)\*\* \| ([^|]+) \|", text, re.MULTILINE)
    return {word: meaning.replace("`", "").strip() for word, meaning in found}


def made() -> dict[Path, str]:
    """What each file holds."""

    def packed(content: Mapping[str, object]) -> str:
        return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"

    return {
        RULES: packed(rules((HERE / "rules.md").read_text("utf-8"))),
        WORDS: packed(words((HERE / "glossary.md").read_text("utf-8"))),
    }


if __name__ == "__main__":
    for path, content in made().items():
        path.write_text(content, encoding="utf-8")
