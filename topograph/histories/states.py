"""The states of a folder in the commits of a repository, as networks that can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from topograph.errors import InputError, UsageError
from topograph.histories.records import CommitTold
from topograph.opening.folders import Readings, read_commit
from topograph.opening.models import model_of
from topograph.opening.selection import EVERYTHING, Selection
from topograph.questions.model import Model
from topograph.records import record
from topograph.store.commits import Commit, Commits, Place

NOTHING: Mapping[str, bytes] = MappingProxyType({})


@record(slots=False)
class Unread:
    """A state that cannot be read, and why."""

    because: str


@dataclass
class States:
    """The network of a folder in each commit that is asked for. Only what no earlier one held is
    read; commits that hold the same have the same state. ``seconds`` is the budget of each question
    about a state."""

    commits: Commits
    place: Place
    chosen: Selection = EVERYTHING
    seconds: float | None = 10.0
    most: int = 2
    """States that are kept as networks, the last ones."""
    _readings: Readings = field(default_factory=Readings)
    _kept: dict[str, Model | Unread] = field(default_factory=dict)

    def content(self, commit: Commit) -> str:
        """What the folder of a commit holds, by a name (``Commits.content_of``)."""
        return self.commits.content_of(commit, self.place.folder)

    def of(self, commit: Commit) -> Model | Unread:
        """The network in a commit. Raises what is no matter of one commit alone: a repository that
        is damaged.
        """
        key = self.content(commit)
        if key not in self._kept:
            found = self._read(commit)
            while len(self._kept) >= self.most:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = found
        return self._kept[key]

    def texts(self, commit: Commit, file: str) -> bytes:
        """The content of a file of a commit, by its path from the top of the repository; empty
        where there is none.
        """
        header = self.commits.objects.header(f"{commit.name}:{file}")
        if header is None or header.type != "blob":
            return b""
        return self.commits.objects.content(header)

    def with_files(self, commit: Commit, replaced: Mapping[str, bytes]) -> Model | Unread:
        """The network of a commit, of whose files some are others: by path from the top of the
        repository. It is not kept."""
        return self._read(commit, replaced)

    def _read(self, commit: Commit, replaced: Mapping[str, bytes] = NOTHING) -> Model | Unread:
        revision = self.place.at(commit.name)
        try:
            snapshot = read_commit(
                self.commits.objects, revision, self.chosen, self._readings, replaced
            )
        except (InputError, UsageError) as error:
            return Unread(str(error))
        (name,) = snapshot.networks
        return replace(
            model_of(snapshot, name),
            unreadable=snapshot.unreadable,
            revision=snapshot.name,
            seconds=self.seconds,
        )


def told(commit: Commit) -> CommitTold:
    """A commit for an answer."""
    return CommitTold(commit.name, commit.when, commit.subject, len(commit.parents))
