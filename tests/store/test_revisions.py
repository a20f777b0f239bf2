"""Configuration in git revisions: what is read of a commit, and that nothing of its repository
is run or written.
"""

from __future__ import annotations

import os
import random
import shutil
import stat
import zlib
from pathlib import Path

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st
from store.git_repositories import (
    blob,
    commit,
    commit_tree,
    everything,
    git,
    raw_tree,
    repository,
    tree,
)
from store.test_listing import zipped

import topograph
from topograph.cli.main import exit_code
from topograph.errors import InputError, UsageError
from topograph.store.archives import ArchiveLimits
from topograph.store.git_objects import TreeEntry, environment, tree_entries
from topograph.store.listing import TooMuch, list_inputs, read_bytes
from topograph.store.revisions import Revision, read_revision, revision_in

pytestmark = pytest.mark.slow

LIMITS = ArchiveLimits(entries=20_000, total_bytes=64 * 2**20)
MAIN = "server = {0}\nrouting = enabled\nroutes = routes.conf\n"


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """An empty repository, which is the current folder."""
    folder = repository(tmp_path / "repo")
    monkeypatch.chdir(folder)
    return folder


def server(folder: Path, name: str, *routes: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tibemsd.conf").write_text(MAIN.format(name))
    sections = [
        f"[{one}]\nurl = tcp://{one.lower()}:7222\nzone_name = Z\nzone_type = mhop\n"
        for one in routes
    ]
    (folder / "routes.conf").write_text("\n".join(sections))


def listed(name="HEAD", folder="", limits=LIMITS):
    return read_revision(Revision(name, folder), limits).listed


def noticed(found):
    return [(one.kind, str(one.severity), one.source.file) for one in found.listing.findings]


def test_a_commit_is_read_as_its_folder_is(repo):
    conf = repo / "conf"
    server(conf / "a", "A", "B")
    server(conf / "b", "B")
    (conf / "._hidden").write_text("x")
    (conf / "shared").mkdir()
    (conf / "shared" / "été ü.conf").write_text("x")
    (Path(os.fsencode(conf).decode()) / os.fsdecode(b"\xff.conf")).write_text("y")
    (conf / "pack.zip").write_bytes(
        zipped({"c/tibemsd.conf": b"server = C\n", "../out": b"x", ".h": b"x"})
    )
    (conf / "same").symlink_to("a")
    (conf / "file").symlink_to("a/../b/tibemsd.conf")
    (conf / "to-hidden").symlink_to("._hidden")
    (conf / "absolute").symlink_to("/etc/hostname")
    (conf / "outside").symlink_to("../other")
    (conf / "far").symlink_to("../" * 30 + "etc/hostname")
    (conf / "round").symlink_to("round-2")
    (conf / "round-2").symlink_to("round")
    (conf / "nowhere").symlink_to("a/none")
    (conf / "through").symlink_to("a/tibemsd.conf/x")
    (conf / "up").symlink_to(".")
    (conf / "back").symlink_to("../conf/b")
    (repo / "other").mkdir()
    (repo / "other" / "x.conf").write_text("x")
    (conf / "topograph.snapshot").mkdir()
    (conf / "topograph.snapshot" / "manifest.json").write_text('{"format": "topograph-snapshot"}')
    commit(repo)
    disk, found = list_inputs(conf, limits=LIMITS), listed(folder="conf")
    assert [(one.path, one.size, one.member) for one in found.listing.files] == [
        (one.path, one.size, one.member) for one in disk.files
    ]
    assert dict(found.contents) == {one.path: read_bytes(one) for one in disk.files}
    assert found.listing.aliases == disk.aliases
    assert found.listing.findings == disk.findings
    assert list(listed(folder="conf/a/tibemsd.conf").contents) == ["tibemsd.conf"]
    assert set(listed(folder="conf/same").contents) == {"tibemsd.conf", "routes.conf"}
    assert listed(folder="conf/same").folder == "conf/a"


NAMES = st.sampled_from(["a", "b", "c", ".h", "x y", "é"])


@settings(max_examples=draws(15))
@given(
    st.dictionaries(
        st.lists(NAMES, min_size=1, max_size=3).map(tuple),
        st.sampled_from(["1", "2", "@a", "@../b", "@c/a", "@."]),
        max_size=8,
    )
)
def test_random_folders_are_read_alike(tmp_path_factory, files):
    """Files, and links (``@TARGET``), against the listing of the folder itself."""
    folder = repository(tmp_path_factory.mktemp("r"))
    conf = folder / "conf"
    conf.mkdir()
    for parts, content in files.items():
        place = conf.joinpath(*parts)
        if (
            any(one.is_symlink() or one.is_file() for one in place.parents)
            or place.exists()
            or place.is_symlink()
        ):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(content[1:]) if content.startswith("@") else place.write_text(content)
    (conf / "z").write_text("")
    commit(folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        found = listed(folder="conf")
    finally:
        os.chdir(before)
    disk = list_inputs(conf, limits=LIMITS)
    hidden_folders = {
        str(one.relative_to(conf))
        for one in conf.rglob(".h")
        if one.is_dir() and not any(one.iterdir())
    }
    assert dict(found.contents) == {one.path: read_bytes(one) for one in disk.files}
    assert found.listing.aliases == disk.aliases
    assert set(noticed(found)) == {
        (one.kind, str(one.severity), one.source.file)
        for one in disk.findings
        if one.source.file not in hidden_folders
    }


def test_sha_256_repositories_are_read(tmp_path, monkeypatch):
    folder = repository(tmp_path / "r", sha256=True)
    monkeypatch.chdir(folder)
    server(folder / "conf", "A")
    name = commit(folder)
    assert len(name) == 64
    checked = read_revision(Revision("main", "conf"), LIMITS)
    assert checked.commit == name
    assert checked.called == f"main:conf (commit {name})"
    assert set(checked.listed.contents) == {"tibemsd.conf", "routes.conf"}


def test_packed_objects_and_an_annotated_tag_are_read(repo):
    for number in range(20):
        server(repo / f"s{number}", f"S{number}")
        commit(repo)
    git(repo, "tag", "-a", "v1", "-m", "v1")
    git(repo, "gc", "-q")
    assert len(listed("v1").contents) == 40
    assert len(listed("v1~10").contents) == 20


def test_answers_cite_lines_from_the_top_of_the_repository_and_name_the_commit(repo):
    conf = repo / "net" / "conf"
    server(conf / "a", "A")
    server(conf / "b", "B")
    (conf / "topograph.yaml").write_text(
        "clients:\n  - {server: B, destination: 'topic:x', role: subscriber}\n"
    )
    first = commit(repo)
    server(conf / "a", "A", "B")
    second = commit(repo)
    network = topograph.open("HEAD:net/conf")
    assert network.name == "conf"
    (link,) = network.paths("A", "B").paths
    assert str(link.steps[0].source).startswith("net/conf/a/routes.conf:1")
    assert {one["path"] for one in network.show("files").rows} == {
        f"net/conf/{name}"
        for name in (
            "a/tibemsd.conf",
            "a/routes.conf",
            "b/tibemsd.conf",
            "b/routes.conf",
            "topograph.yaml",
        )
    }
    answer = topograph.compare("HEAD~1:net/conf", "HEAD:net/conf")
    assert answer.reach.gained == (("A", "B"), ("B", "A"))
    assert [one.revision for one in answer.compared] == [
        f"HEAD~1:net/conf (commit {first})",
        f"HEAD:net/conf (commit {second})",
    ]
    # The folder itself beside a revision; the same lines from the folder's own top, and the same
    # reach.
    assert topograph.compare("HEAD~1:net/conf", conf).reach == answer.reach
    assert topograph.compare(conf, "HEAD:net/conf").reach.gained_count == 0


def test_a_path_that_exists_is_a_path_and_both_is_refused(repo):
    server(repo / "conf", "A")
    commit(repo)
    assert revision_in("conf") is None
    assert revision_in("HEAD:conf") == Revision("HEAD", "conf")
    assert revision_in("HEAD:conf/") == Revision("HEAD", "conf")
    assert revision_in("git:HEAD") == Revision("HEAD", "")
    (repo / "odd:conf").mkdir()
    assert revision_in("odd:conf") is None
    (repo / "HEAD:conf").mkdir()
    with pytest.raises(
        UsageError,
        match=r"is a path and a revision. Write ./HEAD:conf for the path, or git:HEAD:conf",
    ):
        revision_in("HEAD:conf")
    assert revision_in("./HEAD:conf") is None
    assert revision_in("git:HEAD:conf") == Revision("HEAD", "conf")


def test_a_name_of_two_commits_is_refused_and_one_of_the_same_commit_is_not(repo):
    server(repo / "conf", "A")
    commit(repo)
    git(repo, "tag", "twice")
    git(repo, "branch", "twice")
    assert listed("twice", "conf").contents
    commit(repo, "another")
    git(repo, "branch", "-f", "twice")
    for name in ("twice", "twice~0", "twice^{}"):
        with pytest.raises(
            UsageError,
            match=r"'twice' is ambiguous: refs/heads/twice is commit .* refs/tags/twice is",
        ):
            listed(name, "conf")
    assert listed("refs/heads/twice", "conf").contents
    # A branch that is called as a commit is.
    head = git(repo, "rev-parse", "HEAD")
    git(repo, "update-ref", f"refs/heads/{head}", "HEAD~1")
    with pytest.raises(UsageError, match="is ambiguous"):
        listed(head, "conf")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (
            "none:conf",
            2,
            (
                "There is no commit 'none' in this repository, or no single one, and no path "
                "'none:conf'"
            ),
        ),
        ("HEAD:none", 2, "there is no 'none' in that commit"),
        ("HEAD:sub", 2, "'sub' is a submodule. Ask inside its own repository"),
        ("HEAD:sub/deep", 2, "it lies in a submodule"),
        ("HEAD:conf/../..", 2, "leads out of the repository"),
        ("HEAD:/conf", 2, "name the folder from the top of the repository, as in HEAD:conf"),
        ("HEAD:./conf", 2, "name the folder from the top of the repository, as in HEAD:conf"),
        ("HEAD:empty", 2, "holds 1 file, and none is the main file"),
        ("HEAD:snap", 2, "HEAD:snap holds a snapshot"),
        ("git:", 2, "names no revision"),
        ("git::conf", 2, "names no revision"),
        ("git:--upload-pack=touch x:conf", 2, "it begins with a dash"),
        ("--output=x:conf", 2, "it begins with a dash"),
        ("HEAD^{tree}:conf", 2, "There is no commit 'HEAD^{tree}'"),
        ("blob:conf", 2, "'blob' names no commit"),
        ("HEAD~9:conf", 2, "There is no commit 'HEAD~9'"),
        ("HEAD..HEAD:conf", 2, "There is no commit 'HEAD..HEAD'"),
        ("a\nHEAD:conf", 2, "holds a line break"),
    ],
)
def test_what_cannot_be_read_is_said_and_ends_with_its_code(repo, capsys, text, code, said):
    server(repo / "conf", "A")
    (repo / "empty").mkdir()
    (repo / "empty" / "x").write_text("x")
    (repo / "snap").mkdir()
    (repo / "snap" / "manifest.json").write_text('{"format": "topograph-snapshot"}')
    commit(repo)
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    git(repo, "commit", "-q", "-m", "sub")
    git(repo, "tag", "blob", blob(repo, b"x"))
    assert exit_code(["audit", f"--before={text}", "--after=HEAD:conf"]) == code
    shown = capsys.readouterr()
    assert said in " ".join(shown.err.split())
    assert shown.out == ""
    assert sorted(one.name for one in repo.iterdir()) == [".git", "conf", "empty", "snap"]


def test_without_a_repository_or_git_nothing_is_read(tmp_path, monkeypatch, repo):
    server(repo / "conf", "A")
    commit(repo)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    with pytest.raises(InputError, match="not in a git repository"):
        topograph.open("HEAD:conf")
    monkeypatch.chdir(repo)
    shutil.copy("/bin/true", repo / "git")
    for path in (str(tmp_path), ".", ""):
        monkeypatch.setenv("PATH", path)
        with pytest.raises(InputError, match="git is not installed"):
            topograph.open("HEAD:conf")


def test_a_repository_of_another_user_is_not_read_unless_it_is_trusted(repo, monkeypatch):
    server(repo / "conf", "A")
    commit(repo)
    monkeypatch.setenv(
        "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"
    )  # not passed on, as nothing is that git was not to be told
    assert listed(folder="conf").contents
    assert "GIT_TEST_ASSUME_DIFFERENT_OWNER" not in environment(os.environ)


def test_a_shallow_clone_says_what_to_fetch(repo, tmp_path, monkeypatch):
    server(repo / "conf", "A")
    commit(repo)
    commit(repo, "another")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    assert listed("HEAD", "conf").contents
    with pytest.raises(InputError, match=r"which is a shallow clone: .* git fetch --unshallow"):
        listed("HEAD~1", "conf")


def test_a_partial_clone_fetches_nothing(repo, tmp_path, monkeypatch):
    server(repo / "conf", "A")
    commit(repo)
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo}", "partial")
    partial = tmp_path / "partial"
    before = everything(partial)
    monkeypatch.chdir(partial)
    with pytest.raises(
        InputError,
        match=(
            r"is not in this repository: it is a partial clone, or damaged. topograph "
            r"fetches nothing"
        ),
    ):
        listed("HEAD", "conf")
    assert everything(partial) == before
    git(partial, "config", "protocol.file.allow", "always")
    with pytest.raises(InputError, match="fetches nothing"):
        listed("HEAD", "conf")
    assert everything(partial).keys() == before.keys()


def test_a_damaged_object_is_no_content(repo):
    server(repo / "conf", "A")
    commit(repo)
    name = git(repo, "rev-parse", "HEAD:conf/tibemsd.conf")
    place = repo / ".git" / "objects" / name[:2] / name[2:]
    place.chmod(stat.S_IRUSR | stat.S_IWUSR)
    data = b"server = X\n"
    place.write_bytes(zlib.compress(b"blob %d\0" % len(data) + data))
    with pytest.raises(
        InputError, match=f"The object {name} of the repository is damaged|git cannot read"
    ):
        listed(folder="conf")


@pytest.mark.parametrize(
    "data",
    [b"\xff\xff", b"100644 a", b"100644 a\0abc", b"100644a\0" + b"x" * 20, b"9 a\0" + b"x" * 20],
)
def test_a_tree_that_is_none_is_refused(repo, data):
    with pytest.raises(ValueError, match="at byte 0"):
        tree_entries(data, 20)
    commit_tree(repo, raw_tree(repo, data))
    with pytest.raises(InputError, match="damaged"):
        listed()


def test_hostile_names_are_findings(repo):
    good = blob(repo, b"server = A\n")
    made = tree(
        repo,
        [
            ("100644", b"tibemsd.conf", good),
            ("100644", b"tibemsd.conf", blob(repo, b"server = B\n")),
            ("100644", b"..", good),
            ("100644", b".", good),
            ("100644", b"", good),
            ("100644", b"/etc/passwd", good),
            ("100644", b"a/b", good),
            ("100644", b".git", good),
            ("40000", b".GIT", tree(repo, [("100644", b"config", good)])),
            ("40000", b"..", tree(repo, [("100644", b"x", good)])),
            ("100644", b"\xff", good),
            ("100644", b"\\xff", good),
            ("100644", b"new\nline", good),
            ("100755", b"run", good),
            ("100664", b"old", good),
            ("60000", b"block", good),
            ("160000", b"module", "1" * 40),
            ("120000", b"link", blob(repo, b"../../../etc/passwd")),
            ("120000", b"nul", blob(repo, b"a\0b")),
            ("120000", b"no-text", blob(repo, b"")),
            ("120000", b"long", blob(repo, b"x" * 5_000)),
            ("100644", b"n" * 5_000, good),
            (
                "100644",
                b"lfs.conf",
                blob(repo, b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
            ),
        ],
    )
    commit_tree(repo, made)
    found = listed()
    assert sorted(found.contents) == ["\\xff", "new\nline", "old", "run", "tibemsd.conf"]
    assert found.contents["tibemsd.conf"] == b"server = A\n"
    kinds = sorted(noticed(found))
    assert kinds == sorted(
        [
            ("file-name-collision", "error", "tibemsd.conf"),
            *[("git-entry-refused", "warning", ".")] * 7,
            ("hidden-file", "info", ".git"),
            ("hidden-file", "info", ".GIT"),
            ("file-name-not-text", "info", "\\xff"),
            ("file-name-collision", "error", "\\xff"),
            ("special-file", "warning", "block"),
            ("git-submodule", "warning", "module"),
            ("link-out-of-root", "warning", "link"),
            ("link-broken", "warning", "nul"),
            ("link-broken", "warning", "no-text"),
            ("link-broken", "warning", "long"),
            ("git-lfs-pointer", "warning", "lfs.conf"),
        ]
    )


def test_a_tree_that_is_in_itself_over_and_over_is_given_up(repo):
    made = tree(repo, [("100644", b"f", blob(repo, b"x"))])
    for _ in range(10):
        made = tree(repo, [("40000", str(number).encode(), made) for number in range(10)])
    commit_tree(repo, made)
    with pytest.raises(TooMuch, match="more than 20,000 files"):
        listed()
    with pytest.raises(
        UsageError, match=r"HEAD: holds more than 20,000 files and folders, .* \(git worktree add\)"
    ):
        topograph.open("git:HEAD")


def test_a_deep_tree_is_read_as_far_as_a_path_may_be_long(repo):
    made = tree(repo, [("100644", b"f", blob(repo, b"x"))])
    for _ in range(70):
        made = tree(repo, [("40000", b"d" * 60, made)])
    commit_tree(repo, made)
    found = listed()
    assert not found.contents
    assert [kind for kind, _, _ in noticed(found)] == ["git-entry-refused"]


def test_sizes_are_bounded(repo):
    (repo / "big.conf").write_bytes(b"x" * 2_000)
    (repo / "a.conf").write_bytes(b"x" * 900)
    (repo / "b.conf").write_bytes(b"x" * 900)
    (repo / "bomb.zip").write_bytes(zipped({"x": b"0" * 5_000_000}))
    commit(repo)
    found = listed(limits=ArchiveLimits(file_bytes=1_000, archive_bytes=100_000))
    assert sorted(found.contents) == ["a.conf", "b.conf"]
    assert {(kind, file) for kind, _, file in noticed(found)} == {
        ("file-too-large", "big.conf"),
        ("file-too-large", "bomb.zip!/x"),
    }
    with pytest.raises(TooMuch, match="more than 0 MB"):
        listed(limits=ArchiveLimits(file_bytes=1_000, total_bytes=1_500))
    with pytest.raises(TooMuch, match="list of entries"):
        listed(limits=ArchiveLimits(file_bytes=10))


def test_links_that_double_are_given_up(repo):
    made = [("120000", b"l0", blob(repo, b"d"))]
    made += [
        ("120000", f"l{n}".encode(), blob(repo, f"l{n - 1}/../l{n - 1}".encode()))
        for n in range(1, 30)
    ]
    commit_tree(
        repo, tree(repo, [*made, ("40000", b"d", tree(repo, [("100644", b"f", blob(repo, b"x"))]))])
    )
    found = listed()
    assert list(found.contents) == ["d/f"]
    assert {kind for kind, _, _ in noticed(found)} == {"link-followed", "link-broken"}


@settings(max_examples=draws(100))
@given(st.binary(max_size=200), st.sampled_from([20, 32]))
def test_any_bytes_are_a_tree_or_a_value_error(data, digest):
    try:
        entries = tree_entries(data, digest)
    except ValueError:
        return
    assert b"".join(_written(one) for one in entries) == data or any(
        one.mode < 0o100 for one in entries
    )


def _written(entry: TreeEntry) -> bytes:
    return f"{entry.mode:o}".encode() + b" " + entry.name + b"\0" + bytes.fromhex(entry.object)


@settings(max_examples=draws(100))
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0o40000, 0o100644, 0o100755, 0o120000, 0o160000]),
            st.binary(max_size=8).filter(lambda name: b"\0" not in name),
            st.binary(min_size=32, max_size=32),
        ),
        max_size=6,
    ),
    st.sampled_from([20, 32]),
)
def test_what_was_written_is_read(entries, digest):
    made = [TreeEntry(mode, name, raw[:digest].hex()) for mode, name, raw in entries]
    assert tree_entries(b"".join(map(_written, made)), digest) == tuple(made)


@pytest.mark.parametrize("seed", range(3))
def test_changed_trees_never_make_the_reader_fail(repo, seed):
    """Trees of a real commit with bytes changed at random: read, or one of the errors that a
    person is told.
    """
    rng = random.Random(seed)
    server(repo / "conf" / "a", "A", "B")
    (repo / "conf" / "link").symlink_to("a/tibemsd.conf")
    commit(repo)
    good = git(repo, "rev-parse", "HEAD:conf")
    plain = bytes.fromhex("") + _tree_bytes(repo, good)
    for _ in range(12):
        data = bytearray(plain)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data))
            if rng.random() < 0.5:
                data[place] = rng.choice(b"\0 /.\xff4120a")
            else:
                del data[place : place + rng.randint(1, 3)]
        commit_tree(repo, raw_tree(repo, bytes(data)), "fuzz")
        try:
            found = listed("fuzz")
        except (InputError, UsageError):
            continue
        assert set(found.contents) == {one.path for one in found.listing.files}


def _tree_bytes(folder: Path, name: str) -> bytes:
    import subprocess

    return subprocess.run(
        ["git", "cat-file", "tree", name], cwd=folder, capture_output=True, check=True
    ).stdout


def test_nothing_of_the_repository_is_run_and_nothing_is_written(repo, tmp_path, monkeypatch):
    server(repo / "conf", "A")
    git(repo, "add", "conf")
    attributes = (
        "*.conf filter=evil diff=evil merge=evil text eol=crlf ident working-tree-encoding=UTF-16\n"
    )
    for place in (".gitattributes", ".git/info/attributes"):
        (repo / place).parent.mkdir(exist_ok=True)
        (repo / place).write_text(attributes)
    added = f"100644,{blob(repo, attributes.encode())},.gitattributes"
    git(repo, "update-index", "--add", "--cacheinfo", added)
    git(repo, "commit", "-q", "-m", "conf")
    ran = tmp_path / "ran"
    evil = tmp_path / "evil"
    evil.write_text(f'#!/bin/sh\necho "$0 $*" >> {ran}\ncat\n')
    evil.chmod(0o755)
    for hook in (
        "post-checkout",
        "pre-commit",
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
    ):
        place = repo / ".git" / "hooks" / hook
        place.parent.mkdir(exist_ok=True)
        shutil.copy(evil, place)
    for key in (
        "filter.evil.smudge",
        "filter.evil.clean",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "credential.helper",
        "pager.cat-file",
        "pager.rev-parse",
        "alias.cat-file",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "remote.origin.uploadpack",
        "remote.origin.vcs",
    ):
        git(repo, "config", key, str(evil))
    git(repo, "config", "remote.origin.url", f"ext::{evil}")
    git(repo, "config", "remote.origin.promisor", "true")
    git(repo, "config", "protocol.allow", "always")
    git(repo, "config", "protocol.ext.allow", "always")
    git(repo, "config", "extensions.partialClone", "origin")
    git(repo, "config", "core.repositoryFormatVersion", "1")
    for variable in (
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "GIT_SSH_COMMAND",
        "GIT_EDITOR",
        "GIT_ASKPASS",
        "PAGER",
    ):
        monkeypatch.setenv(variable, str(evil))
    monkeypatch.setenv("GIT_TRACE", str(ran))
    before = everything(repo)
    assert listed(folder="conf").contents["tibemsd.conf"] == MAIN.format("A").encode()
    with pytest.raises(UsageError):
        listed("HEAD~1")
    assert everything(repo) == before
    # A blob that is not there would be fetched from the promisor, by the program above.
    name = git(repo, "rev-parse", "HEAD:conf/tibemsd.conf")
    (repo / ".git" / "objects" / name[:2] / name[2:]).unlink()
    with pytest.raises(InputError, match="fetches nothing"):
        listed(folder="conf")
    assert not ran.exists()


def test_replacements_and_grafts_are_not_applied(repo):
    server(repo / "conf", "A")
    commit(repo)
    server(repo / "conf", "B")
    commit(repo)
    one, other = (git(repo, "rev-parse", f"{rev}:conf/tibemsd.conf") for rev in ("HEAD", "HEAD~1"))
    git(repo, "replace", one, other)
    (repo / ".git" / "info").mkdir(exist_ok=True)
    (repo / ".git" / "info" / "grafts").write_text(git(repo, "rev-parse", "HEAD") + "\n")
    assert listed(folder="conf").contents["tibemsd.conf"] == MAIN.format("B").encode()
    assert listed("HEAD~1", "conf").contents["tibemsd.conf"] == MAIN.format("A").encode()


def test_the_repository_of_a_hook_is_read(repo, tmp_path, monkeypatch):
    server(repo / "conf", "A")
    commit(repo)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_DIR", str(repo / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
    assert listed(folder="conf").contents


def test_the_command_takes_revisions_for_before_and_after_and_for_s(repo, capsys):
    for name, others in {"A": "BCD", "B": "A", "C": "A", "D": "A"}.items():
        server(repo / "conf" / name, name, *others)
    commit(repo)
    server(repo / "conf" / "B", "B", "A", "D")
    server(repo / "conf" / "D", "D", "A", "B")
    name = commit(repo)
    assert exit_code(["audit", "--before", "HEAD~1:conf", "--after", "HEAD:conf"]) == 1
    assert (
        f"HEAD:conf (commit {name}), compared with HEAD~1:conf (commit " in capsys.readouterr().out
    )
    assert exit_code(["audit", "--before", "HEAD:conf", "--after", "conf"]) == 0
    assert exit_code(["cycles", "-s", "HEAD~1:conf"]) == 0
    assert exit_code(["cycles", "-s", "git:HEAD:conf"]) == 1
