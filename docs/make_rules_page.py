"""Write what topograph's documents say about rules and words: ``docs/rules.md`` from the records of
the rules (``System.rules``), and ``topograph/reporting/words.json`` from the glossary.

Run it after one of them changed; a test compares the files with what this makes, and the records
with the rules of the specifications.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from topograph.rules import Rule
from topograph.systems import system

HERE = Path(__file__).parent
RULES = HERE / "rules.md"
WORDS = HERE.parent / "topograph" / "reporting" / "words.json"
TITLES = {
    "ems": "TIBCO EMS",
    "amq_interconnect": "AMQ Interconnect",
    "sibus": "SIBus",
    "mqe": "MQe",
    "ibm_mq": "IBM MQ",
    "rabbitmq": "RabbitMQ",
}
"""The headings of the page by system, in its order."""
CHECKS = "Checks"
"""The heading of lint rules."""
INTRODUCTION = """\
# Rules by name

Every answer and finding cites a rule by its number. Here each rule has a short name and one plain
sentence; the [specifications](specs) have the whole rule, its sources and how sure it is. A lint
rule has a page with an example. `topograph check --rule TL-03` explains one.
This page is made of the records of the rules by `docs/make_rules_page.py`.
"""


def page() -> str:
    """The page of all rules: a table under each heading."""
    return "\n".join([INTRODUCTION, *(line for name in TITLES for line in _section(name))])


def _section(name: str) -> Iterator[str]:
    yield f"## {TITLES[name]}"
    yield ""
    for heading, rules in groups(name).items():
        if heading:
            yield f"{heading}:"
            yield ""
        yield "| Rule | Name | What it says |"
        yield "|---|---|---|"
        for rule in rules:
            yield f"| {_number(rule)} | {rule.name} | {rule.sentence} |"
        yield ""


def _number(rule: Rule) -> str:
    """The number, as a link where the rule has a page."""
    page = f"rules/{rule.number}.md"
    return f"[{rule.number}]({page})" if (HERE / page).is_file() else rule.number


def groups(name: str) -> Mapping[str, Sequence[Rule]]:
    """The rules of one of topograph's own systems by heading: lint rules, wherever their records
    stand, by number under ``CHECKS``, behind the others if those do not have that heading.
    """
    found: Mapping[str, Sequence[Rule]] = import_module(f"topograph.rules.{name}").GROUPS
    lint = sorted((one for one in system(name).rules() if one.check), key=lambda one: one.number)
    return {**found, CHECKS: lint} if lint else found


def words(text: str) -> dict[str, str]:
    """By word what the glossary says of it."""
    found = re.findall(r"^\| \*\*([^*]+)\*\* \| ([^|]+) \|", text, re.MULTILINE)
    return {word: meaning.replace("`", "").strip() for word, meaning in found}


def made() -> dict[Path, str]:
    """What each file holds."""
    known = words((HERE / "glossary.md").read_text("utf-8"))
    return {
        RULES: page().rstrip("\n") + "\n",
        WORDS: json.dumps(known, indent=1, ensure_ascii=False, sort_keys=True) + "\n",
    }


if __name__ == "__main__":
    for path, content in made().items():
        path.write_text(content, encoding="utf-8")
