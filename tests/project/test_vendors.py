"""What a product is called, and what its files look like, only its importer, its facts and its
rules know.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

VENDOR = re.compile(
    r"(?<![A-Za-z])[Ee]ms(?![a-z])|EMS|TIBCO|\bEntity\b|\$TMP\$|\$man|(?i:amq(?!p)|"
    r"tibems|qdstat|qdmanage|qdrouter|skupper)"
    r"|(?i:ibm|(?<![a-z])mqe(?![a-z])|mqsc|sibus|wsadmin|websphere|liberty|everyplace)|MQLNK|XMITQ"
)
"""AMQP is a protocol, not a product."""

CITATION = re.compile(
    r"\b(ems|amq_interconnect|ibm_mq|mqe|sibus)\.md\b|\btopograph\.rules\.ems_findings\b"
)
"""``ems.md 3.1`` says where a rule that holds for all is written; ``rules.ems_findings`` has the
records of those that are written there."""

MAY_NAME = {
    "importers/first_look.py": (
        "what every file of a system has, which is looked for before its importer is loaded: a "
        "module of that importer would load it"
    ),
    "importers/known_formats.py": (
        "a file format of a product that has no importer: AMQ8408I is a message of IBM MQ"
    ),
    **dict.fromkeys(
        ("topograph/store/graph_schema/labels.py", "topograph/store/graph_schema/relationships.py"),
        "what people read of the database: what each label is in the products that have it",
    ),
    "importers/lexical.py": (
        "$man$ begins an obfuscated password: no file of any system may show one"
    ),
}
"""Files that may name one, with the reason."""

FOLDERS = ("engines", "forwarding", "pipeline", "questions", "redaction", "store", "tracing", "viz")


def modules() -> list[str]:
    files = [*(ROOT / "importers").glob("*.py"), ROOT / "topograph/network.py"]
    for folder in FOLDERS:
        files += (ROOT / "topograph" / folder).rglob("*.py")
    return sorted(str(path.relative_to(ROOT)) for path in files)


def vendors_in(text: str) -> list[str]:
    return [found.group() for found in VENDOR.finditer(CITATION.sub("", text))]


def test_the_pattern_finds_names_of_products_and_nothing_else():
    text = (
        "an EMS server, ems.md 3.1, systems, items, class EmsRoute, amq-conf, amqps://h, "
        "TIBCO, `qdstat`, amq_interconnect"
    )
    assert vendors_in(text) == ["EMS", "Ems", "amq", "TIBCO", "qdstat", "amq"]
    text = (
        "IBM MQ, ibm_mq, an MQSC script, mqe.md, MQe, sibus, wsadmin, a queue manager, a "
        "bus, mqexpress"
    )
    assert vendors_in(text) == ["IBM", "ibm", "MQSC", "MQe", "sibus", "wsadmin"]


@pytest.mark.parametrize("module", [name for name in modules() if name not in MAY_NAME])
def test_modules_for_all_systems_name_none(module):
    assert vendors_in((ROOT / module).read_text("utf-8")) == []


@pytest.mark.parametrize("module", sorted(MAY_NAME))
def test_files_on_the_list_are_there_and_name_one(module):
    assert module in modules()
    assert vendors_in((ROOT / module).read_text("utf-8"))
