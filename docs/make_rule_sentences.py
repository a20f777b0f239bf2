"""Write ``topograph/reporting/rules.json``: what each rule of the specifications says, in its first sentence, and what the words of the glossary mean.

Run it after a specification or the glossary changed; a test compares the file with what this makes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parent / "topograph" / "reporting" / "rules.json"
SPECS = {
    "ems": "ems.md",
    "amq_interconnect": "amq_interconnect.md",
    "sibus": "sibus.md",
    "mqe": "mqe.md",
    "ibm_mq": "ibm_mq.md",
    "all": "outcomes.md",
}
LONGEST = 260
ID = r"[A-Z]{1,2}-?[0-9]{1,3}[a-z]?"
ITEM = re.compile(rf"^\s*[*-] \*\*({ID})(?: ([^*]+))?\*\*:? (.*)$")
ROW = re.compile(rf"^\| ({ID}) \| (.+?) \|")


def rules(text: str) -> dict[str, str]:
    """By rule its first sentence. An item goes on in the indented lines below it."""
    found: dict[str, str] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if item := ITEM.match(line):
            body = [item[3]]
            for more in lines[number + 1 :]:
                if not more.startswith("  ") or ITEM.match(more) or re.match(r"\s*[*-] ", more):
                    break
                body.append(more.strip())
            named = f"{item[2].strip()}: " if item[2] else ""
            found.setdefault(item[1], sentence(named + " ".join(body)))
        elif row := ROW.match(line):
            found.setdefault(row[1], sentence(row[2]))
    return {rule: text for rule, text in found.items() if text}


def sentence(text: str) -> str:
    """The first sentence without markup and without the references behind it."""
    text = re.sub(r"\[[^\]\[]*\](?:\([^)]*\))?", "", text)  # sources in brackets
    text = re.sub(r"\*\*[A-Z]\*\*", "", text)  # the confidence at the end
    text = re.sub(r"[*`]|\s+", lambda m: "" if m[0] in "*`" else " ", text).strip()
    # A full stop that ends a sentence: not that of a number, of "e.g." or of a file's name.
    end = re.search(r"(?<!e\.g)(?<!i\.e)(?<!vs)\.(?= [A-Z(]|$)", text)
    first = text[: end.start()] if end else text
    if len(first) > LONGEST:
        first = first[: first.rindex(" ", 0, LONGEST)] + " …"
    first = first.strip(" .;:")
    return f"{first[0].upper()}{first[1:]}." if first and not first.endswith("…") else first


def words(text: str) -> dict[str, str]:
    """By word what the glossary says of it."""
    found = re.findall(r"^\| \*\*([^*]+)\*\* \| ([^|]+) \|", text, re.MULTILINE)
    return {word: re.sub(r"`", "", meaning).strip() for word, meaning in found}


def made() -> str:
    """The whole file."""
    found = {system: rules((HERE / "specs" / name).read_text("utf-8")) for system, name in SPECS.items()}
    found["words"] = words((HERE / "glossary.md").read_text("utf-8"))
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    RULES.write_text(made(), encoding="utf-8")
