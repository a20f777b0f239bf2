"""The command line: click commands, one module a group; thin. Start at ``main``.

The import of this package leaves the working directory out of where this process looks for modules:
before another one is imported.
"""

from topograph.search_paths import leave_out_relative_places

leave_out_relative_places()
