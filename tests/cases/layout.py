"""The same files laid out otherwise: comments and empty lines between what stands there,
definitions in another order, other letters and blanks where they say nothing.

None of it is anything to the product that reads the file: what its rules say of order and case is
in docs/specs (ems.md 3.1, ibm_mq.md C4, amq_interconnect.md 1.1).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence

_DEFINE = re.compile(r"(DEFINE|DEF)( +)([A-Z]+)(\([^()]*\))(?!.*\bLIKE\()[^+]*[^+-]\Z")
_SETTING = re.compile(r"([a-z_]+)[ \t]*=[ \t]*(\S.*)\Z")
_SECTION = re.compile(r"(?m)^(?=\[)")
_ENTITY = re.compile(r"(?ms)^[a-zA-Z]\w*(?:\.\w+)* \{\n.*?^\}\n")


def laid_out(name: str, text: str, at: random.Random) -> str:
    """The text of a file in another layout; as it is where nothing is known of the kind."""
    make = next((make for end, make in _KINDS if re.search(end, name)), None)
    return make(text, at) if make else text


def _mqsc(text: str, at: random.Random) -> str:
    """Runs of definitions, each in one line and of another name, in any order and case."""
    lines: list[str] = []
    run: list[str] = []
    for line in [*text.split("\n"), ""]:
        found = _DEFINE.match(line)
        if found and not any(found[4] in other for other in run):
            run.append(line)
            continue
        at.shuffle(run)
        for one in run:
            lines += [_in_small(one, at), *at.choice(([], [], [""], ["* so it is"]))]
        run = []
        lines.append(line)
    return "\n".join(lines[:-1])


def _in_small(line: str, at: random.Random) -> str:
    """The line with its verb and noun in small letters, or as it is."""
    if at.random() < 0.5:
        return line
    head, rest = line[: line.index("(")], line[line.index("(") :]
    return f"{head.lower()}{rest}"


def _settings(text: str, at: random.Random) -> str:
    """``name = value`` with other blanks, and comments between."""
    lines: list[str] = []
    for line in text.split("\n"):
        found = _SETTING.match(line)
        if found is None:
            lines.append(line)
        else:
            lines.append(f"{found[1]}{at.choice(('=', ' = ', '   =  '))}{found[2]}")
            lines += at.choice(([], [], [""], ["# so it is"]))
    return "\n".join(lines)


def _lines(text: str, at: random.Random) -> str:
    """One thing a line, in any order."""
    lines = text.split("\n")
    kept = [line for line in lines if line.strip()]
    if any(line.lstrip().startswith(("#", "[")) for line in kept):
        return text
    at.shuffle(kept)
    return "".join(f"{line}\n{at.choice(('', '', chr(10)))}" for line in kept)


def _sections(text: str, at: random.Random) -> str:
    """Sections in any order."""
    head, *sections = _SECTION.split(text)
    names = [section.split("\n", 1)[0] for section in sections]
    if len({*names}) < len(names):  # the last of two may count
        return text
    sections = [section.rstrip("\n") + "\n\n" for section in sections]
    at.shuffle(sections)
    return head + "".join(sections)


def _entities(text: str, at: random.Random) -> str:
    """Entities in any order, where the file has nothing else."""
    entities = [found[0] for found in _ENTITY.finditer(text)]
    if _ENTITY.sub("", text).strip():
        return text
    at.shuffle(entities)
    return "".join(f"{one}{at.choice(('', chr(10), '# so it is' + chr(10)))}" for one in entities)


def _json(text: str, at: random.Random) -> str:
    """The members of objects in any order."""

    def mixed(value: object) -> object:
        if isinstance(value, dict):
            names = list(value)
            at.shuffle(names)
            return {name: mixed(value[name]) for name in names}
        return [mixed(one) for one in value] if isinstance(value, list) else value

    try:
        read = json.loads(text)
    except ValueError:
        return text
    return json.dumps(mixed(read), indent=at.choice((None, 1, 2, 4)), ensure_ascii=False)


_KINDS: Sequence[tuple[str, Callable[[str, random.Random], str]]] = (
    (r"\.mqsc\Z", _mqsc),
    (r"tibemsd\.conf\Z", _settings),
    (r"(?:topics|queues|durables)\.conf\Z", _lines),
    (r"(?:routes|bridges)\.conf\Z", _sections),
    (r"tibemsd\.json\Z", _json),
    (r"\.conf\Z", _entities),
)
"""How files are laid out otherwise, by the ends of their names."""
