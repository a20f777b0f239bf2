"""Files that are there twice: equal bytes under two names are one file."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from topograph.importers.reading import Bundle


def once(
    bundles: Sequence[Bundle], digests: Mapping[str, bytes]
) -> tuple[list[Bundle], dict[str, str]]:
    """The bundles without copies of others, and the files that only copies were read from, each
    with the one that stands for it.

    A copy lies in the same folder, is of the same server, and file by file of equal bytes: then
    each fact of it is one of the other, whichever is read. In another folder equal files may be of
    another machine: the second member of a pair, or a router that was given the same id. Of equal
    ones the shortest name stays, which is the one without ``.bak``, ``.orig`` or ``Copy of``.
    Linear in the files.
    """
    kept: dict[Hashable, Bundle] = {}
    copies: dict[str, str] = {}
    for bundle in sorted(bundles, key=lambda one: (len(one.id), one.id)):
        key = _said(bundle, digests)
        original = kept.setdefault(bundle.id if key is None else key, bundle)
        if original is not bundle:
            for file, of in zip(bundle.files, original.files, strict=True):
                if file.path != of.path:
                    copies.setdefault(file.path, of.path)
    found = sorted(kept.values(), key=lambda one: one.id)
    used = {file.path for bundle in found for file in bundle.files}
    return found, {path: of for path, of in copies.items() if path not in used}


def _said(bundle: Bundle, digests: Mapping[str, bytes]) -> Hashable:
    """What a bundle says, whatever its files are called; None where that is not known."""
    contents = [(file.part, digests.get(file.path, b"")) for file in bundle.files]
    if not all(digest for _, digest in contents):
        return None
    folder, _, name = bundle.files[0].path.rpartition("/")
    if "${" in bundle.server:  # filled in when it starts: such files may be of several servers
        folder += f"/{name.partition('.')[0]}"
    missing = tuple((one.kind, one.name) for one in bundle.missing)
    return bundle.system, bundle.server, folder, tuple(contents), missing
