"""``python -m topograph.cli.tool_call``: a question of the command line whose answer is written
twice: a line of JSON with its text, then the answer as ``--format json`` writes it.
"""

from __future__ import annotations

from topograph.cli.main import run

if __name__ == "__main__":
    from topograph.cli.told_twice import command

    run(command=command)
