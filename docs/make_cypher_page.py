"""Write the parts of ``docs/cypher.md`` that derive from the statements: their list, and which
system offers which.

Run it after a statement or a system's list of statements changed; a test compares the page with
what this makes.
"""

from __future__ import annotations

import re
from pathlib import Path

from topograph import cypher, extensions
from topograph.store.graph_rows import described
from topograph.store.statements import compared_with, statement
from topograph.systems.registry import title

PAGE = Path(__file__).parent / "cypher.md"


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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
