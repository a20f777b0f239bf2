"""What a POSIX shell script gives to the programs that it runs: their words, and what they read.

Nothing is run. The script is taken apart by the grammar of bash, and what it prints, writes into
files, passes through pipes and sets variables to is followed as a shell would do it. Of what only
a run could tell nobody knows the value; that is said (``Unseen``), never left out.
"""

from topograph.importers.shell.following import Call, Followed, follow
from topograph.importers.shell.streams import File, Line, Said, Stream, Unseen

__all__ = ["Call", "File", "Followed", "Line", "Said", "Stream", "Unseen", "follow"]
