"""The command line: click commands, one module a group; thin. Start at ``main``."""
