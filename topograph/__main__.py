"""``python -m topograph``: the command line."""

from topograph.cli.main import run

run()
