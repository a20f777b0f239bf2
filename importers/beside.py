"""Of which server the files are that say how it runs and seldom name it: by the main file that they
read, the name that they give it, or the file beside them that does either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from topograph.importers.ownership import Owner, Servers
from topograph.importers.reading import Bundle, Recognised
from topograph.importers.subfiles import Files, resolve
from topograph.records import record
from topograph.side_inputs import PathEntry


@record
class Unknown:
    """Why it is not known of which server a file is, and which it may be of."""

    why: str
    may_be: tuple[Bundle, ...] = ()


class Beside:
    """The files of one role's ``beside`` in an import. Linear in them, apart from the folders above
    each."""

    def __init__(
        self,
        files: Sequence[Recognised],
        servers: Servers,
        index: Files,
        prefixes: Sequence[PathEntry],
    ) -> None:
        self.servers = servers
        self.stated: dict[str, Owner | Unknown] = {}
        self.in_folder: dict[str, list[Owner | Unknown]] = {}
        mains = {
            bundle.id: bundle for within in servers.below.get(".", {}).values() for bundle in within
        }
        index = replace(index, guessed=tuple(tuple(path.split("/")) for path in mains), groups={})
        for file in sorted(files, key=lambda one: one.path):
            found = self._read_by(file, mains, index, prefixes) or self._named(file)
            if found is not None:
                self.stated[file.path] = found
                folder = str(PurePosixPath(file.path).parent)
                self.in_folder.setdefault(folder, []).append(found)

    def owner(self, file: Recognised) -> Owner | Unknown:
        """The owner of a file, or why it is not known."""
        if file.path in self.stated:
            return self.stated[file.path]
        for folder in map(str, PurePosixPath(file.path).parents):
            beside = self.in_folder.get(folder)
            if beside:
                first = beside[0]
                if all(_same(one, first) for one in beside):
                    return first
                return Unknown(
                    "the files next to it are of several servers", tuple(_all_of(beside))
                )
            inside = self.servers.below.get(folder, {})
            if len(inside) == 1:
                return self._alone(folder, inside)
            if inside:
                named = self.servers.in_name(PurePosixPath(file.path).name)
                if named and named[0].server in inside:
                    return Owner(named[0])
                return Unknown(
                    "it does not say which of the servers in its folder it is of: put the "
                    "server's name into the file name",
                    tuple(bundles[0] for bundles in inside.values()),
                )
        return Unknown("no server is imported that it could be of")

    def _read_by(
        self,
        file: Recognised,
        mains: Mapping[str, Bundle],
        index: Files,
        prefixes: Sequence[PathEntry],
    ) -> Owner | None:
        """The server of the first main file that a file reads. One that has only the name in common
        counts where no other server is nearer."""
        folders = map(str, PurePosixPath(file.path).parents)
        nearest: Mapping[str, Sequence[Bundle]] = next(
            (inside for one in folders if (inside := self.servers.below.get(one, {}))), {}
        )
        for reference in file.references:
            found = resolve(reference, file.path, index, prefixes)
            bundle = mains.get(found.path)
            if bundle is not None and (found.fit > 1 or bundle.server in nearest):
                return Owner(bundle)
        return None

    def _named(self, file: Recognised) -> Owner | Unknown | None:
        """By the names that a file gives its server; None where it gives none. ``also`` are names
        that it need not have."""
        for name in filter(None, (file.server, *file.also)):
            for key in (name, "\0" + name.casefold()):
                if key in self.servers.named:
                    return Owner(self.servers.named[key][0])
        if not file.server:
            return None
        for folder in map(str, PurePosixPath(file.path).parents):
            inside = self.servers.below.get(folder, {})
            guessed = [bundles[0] for bundles in inside.values() if bundles[0].guessed]
            if len(inside) == 1 and guessed:
                return self._alone(folder, inside)
            if inside:
                why = f"it names the server {file.server}, of which no main file is imported"
                return Unknown(why, tuple(guessed))
        return Unknown("no server is imported that it could be of")

    def _alone(self, folder: str, inside: Mapping[str, Sequence[Bundle]]) -> Owner:
        bundle = next(iter(inside.values()))[0]
        where = "here" if folder == "." else f"in {folder}"
        return Owner(
            bundle, f"it is taken for that of {bundle.server or bundle.id}, the only one {where}"
        )


def _same(one: Owner | Unknown, other: Owner | Unknown) -> bool:
    if isinstance(one, Owner) and isinstance(other, Owner):
        return one.bundle.server == other.bundle.server
    return one == other


def _all_of(found: Sequence[Owner | Unknown]) -> Sequence[Bundle]:
    bundles = {
        bundle.id: bundle
        for one in found
        for bundle in ((one.bundle,) if isinstance(one, Owner) else one.may_be)
    }
    return list(bundles.values())
