"""Write the parts of ``docs/cypher.md`` that derive from the statements: their list, and which
system offers which; ``docs/labels.md``, and the statements that make the constraints, from the
definition of the graph.

Run it after a statement, a system's list of statements or the definition of the graph changed; a
test compares the pages with what this makes.
"""

from __future__ import annotations

import re
from pathlib import Path

from topograph import cypher, extensions
from topograph.store.graph_rows import described
from topograph.store.graph_schema import LABELS, RELATIONSHIPS, Property, schema_statements
from topograph.store.statements import compared_with, statement
from topograph.systems.registry import title

PAGE = Path(__file__).parent / "cypher.md"
LABELS_PAGE = PAGE.with_name("labels.md")
SCHEMA = PAGE.parents[1] / "cypher" / "publishing" / "schema.cypher"


def statements() -> str:
    """Each statement with what it answers, takes and gives."""
    parts = []
    for name in cypher.names("questions"):
        about = statement(name)
        parameters = ", ".join(f"`{key}`" + (f" ({text})" if text else "") for key,
            text in about.parameters)
        parts.append(
            f"### `{name}`\n\n{about.what[0].upper()}{about.what[1:]}.\n\n"
            + (f"* Parameters: {parameters}\n" if parameters else "")
            + f"* Returns: {about.returns}\n"
            f"* [{name}.cypher](../cypher/questions/{name}.cypher), {about.needs} or newer\n"
        )
    return "\n".join(parts)


def systems() -> str:
    """The table of statements and systems."""
    offered = {system: described(system) for system in extensions.OWN}
    lines = [
        "| Statement | " + " | ".join(title(system) for system in offered) + " |",
        "|---" * (len(offered) + 1) + "|",
    ]
    for name in cypher.names("questions"):
        cells = [compared_with(rows, name) or "–" for rows in offered.values()]
        if any(cell != "–" for cell in cells):
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page() -> str:
    """The whole page, with its derived parts made again."""
    text = PAGE.read_text(encoding="utf-8")
    for mark, made in (("statements", statements()), ("systems", systems())):
        text = re.sub(f"(?s)(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", lambda m,
            made=made: m[1] + made + m[2], text)
    return text


def schema() -> str:
    """The file of the constraints and indexes: its header, and the statements."""
    head = SCHEMA.read_text(encoding="utf-8").partition("CREATE")[0]
    return head + ";\n".join(schema_statements()) + "\n"


def labels_page() -> str:
    """The page of labels and types of relationships."""
    parts = [
        "# Labels and relationships\n\nWhat a published network consists of, for statements of your own"
        " ([Cypher for people](cypher.md)).\nThis page is made of `topograph/store/graph_schema`. Each"
        " example takes the parameter `network`.\n"
    ]
    for label in LABELS:
        both = ", and `Object`" if label.object else ""
        parts.append(
            f"## {label.name}\n\n{_sentence(label.is_)} (Label `{label.name}`{both}.)\n\n"
            f"{_table(label.properties)}\n```\n{label.example}\n```\n"
        )
    parts.append("## Relationships\n")
    for one in RELATIONSHIPS:
        ends = f"(:{'|'.join(one.start)})-[:{one.name}]->(:{'|'.join(one.end)})"
        own = tuple(each for each in one.properties if each.name != "publish")
        table = f"\n{_table(own)}" if own else ""
        parts.append(f"### {one.name}\n\n`{ends}`\n\n{_sentence(one.says)}\n{table}")
    return "\n".join(parts)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _table(properties: tuple[Property, ...]) -> str:
    rows = (f"| `{one.name}` | {one.says.replace('|', chr(92) + '|')} |\n" for one in properties)
    return "| Property | Says |\n|---|---|\n" + "".join(rows)


if __name__ == "__main__":
    SCHEMA.write_text(schema(), encoding="utf-8")
    LABELS_PAGE.write_text(labels_page(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
