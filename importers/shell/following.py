"""Follows a script from command to command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from topograph.importers.shell import programs
from topograph.importers.shell.programs import name_of
from topograph.importers.shell.streams import (
    File,
    Line,
    Said,
    Stream,
    Unseen,
    Word,
    joined,
    lines_of,
    not_known,
    word,
)
from topograph.importers.shell.syntax import NotFollowed, is_of_another_shell, tree_of
from topograph.importers.shell.words import Words
from topograph.records import record

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_CHARACTERS = 2_000_000
"""Characters of a script that is followed."""
MOST_COMMANDS = 20_000
"""Commands that are followed: loops and functions may run any number."""
MOST_DEPTH = 60
"""How deep commands may stand in each other."""

_OUTPUT = frozenset({">", ">>", ">|", "&>", "&>>"})
_PATTERN = frozenset("*?[")
"""What makes a word the pattern of names of files."""
_NOWHERE = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")
_CONDITIONAL = frozenset({"test_command", "[", "[[", "test"})


@record
class Call:
    """A program that is run. ``words`` are its name, without folders, and its arguments; a variable
    of which nobody knows the value stands as it is written, and in ``unknown`` with the number of
    the word that it is a part of. ``input`` is what it reads. ``files`` are those that its words
    name and that the script has written by then. ``column`` is 0 within a text that another
    program runs. With ``conditional`` something only a run tells decides whether it is run, or how
    often."""

    words: tuple[str, ...]
    line: int
    input: Stream = ()
    column: int = 0
    unknown: tuple[tuple[int, str], ...] = ()
    files: tuple[tuple[str, Stream], ...] = ()
    conditional: bool = False

    @property
    def program(self) -> str:
        return self.words[0]


@dataclass(slots=True)
class Followed:
    """What a script does. ``calls`` are the runs of the programs that were asked for, in order.
    Whoever asks again gets the same one, so nobody changes it."""

    calls: list[Call] = field(default_factory=list)
    others: list[tuple[int, Call]] = field(default_factory=list)
    """The runs of programs of which nothing is known here, each with the number of calls before
    it: another script may be one, and so may a variable of which nobody knows the value."""
    written: dict[str, Stream] = field(default_factory=dict)
    """What the script writes into files."""
    read: set[str] = field(default_factory=set)
    """Those of the files that it reads again."""
    printed: Stream = ()
    documents: list[tuple[Line, ...]] = field(default_factory=list)
    """The here-documents that go to other programs or into files."""


def follow(text: str, tools: Iterable[str]) -> Followed | None:
    """What a script runs of the ``tools`` (names of programs in small letters, without ``.exe``).
    None where it is no script of a POSIX shell (a batch file, or by its grammar), or too large to
    follow (``MOST_CHARACTERS``, ``MOST_COMMANDS``, ``MOST_DEPTH``). Linear in the text and in what
    runs; who recognises, names and reads a file asks each time, and the last ones are kept.
    """
    return _followed(text, frozenset(tools))


@lru_cache(maxsize=4)
def _followed(text: str, tools: frozenset[str]) -> Followed | None:
    if is_of_another_shell(text):
        return None
    followed = Followed()
    try:
        running = _Running(tools, followed)
        followed.printed = running.script(text, 0, ())
        running.uncalled()
    except NotFollowed:
        return None
    return followed


class _Running:
    def __init__(self, tools: frozenset[str], followed: Followed) -> None:
        self.tools, self.followed = tools, followed
        self.variables: dict[str, Word] = {}
        self.functions: dict[str, tuple[Words, Node]] = {}
        self.called: set[str] = set()
        self.commands = self.depth = 0
        self.inner = self.conditional = 0
        """In how many texts that programs run, and behind how many conditions."""

    def script(self, text: str, offset: int, stdin: Stream) -> Stream:
        """What a script prints whose first line is the one behind ``offset``."""
        if len(text) > MOST_CHARACTERS:
            raise NotFollowed
        source = text.encode("utf-8", "surrogatepass")
        root = tree_of(source)
        words = Words(source, self.variables, lambda at, node: self.run(at, node, ()), offset)
        return self.run(words, root, stdin)

    def uncalled(self) -> None:
        """The functions that nothing in the script calls, each with arguments nobody knows."""
        for name, (words, body) in [*self.functions.items()]:
            if name not in self.called:
                self.followed.printed += self.run(words, body, ())

    def run(self, words: Words, node: Node, stdin: Stream) -> Stream:
        """What a statement prints."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise NotFollowed
        try:
            return self._statement(words, node, stdin)
        finally:
            self.depth -= 1

    def _statement(self, words: Words, node: Node, stdin: Stream) -> Stream:
        match node.type:
            case "command":
                return self._command(words, node, stdin, ())
            case "redirected_statement":
                return self._redirected(words, node, stdin)
            case "pipeline":
                for child in node.named_children:
                    stdin = self.run(words, child, stdin)
                return stdin
            case "variable_assignment" | "variable_assignments" | "declaration_command":
                self._assign(words, node)
            case "unset_command":
                for child in node.named_children:
                    self.variables.pop(words.text(child), None)
            case "function_definition":
                self._define(words, node)
            case "for_statement":
                return self._for(words, node, stdin)
            case "if_statement":
                conditions = _conditions(node)
                return self._branches(words, _branches(node), stdin, conditions)
            case "case_statement":
                items = [
                    one.named_children for one in node.named_children if one.type == "case_item"
                ]
                return self._branches(words, [*items, []], stdin)
            case "while_statement" | "c_style_for_statement":
                conditions = _conditions(node)
                return self._branches(words, [node.named_children, []], stdin, conditions)
            case "list":
                return self._list(words, node, stdin)
            case _ if node.type in _GROUPS:
                return self._all(words, node.named_children, stdin)
        return ()

    def _all(self, words: Words, nodes: Iterable[Node], stdin: Stream) -> Stream:
        printed: list[Stream] = [self.run(words, node, stdin) for node in nodes]
        return _together(printed)

    def _list(self, words: Words, node: Node, stdin: Stream) -> Stream:
        """``a && b``, ``a || b``: what a test decides may or may not be run."""
        left, *right = node.named_children
        tests = left.type in _CONDITIONAL or words.text(left).split(" ", 1)[0] in _CONDITIONAL
        if tests or any(child.type == "||" for child in node.children):
            printed = self.run(words, left, stdin)
            return (*printed, *self._branches(words, [right, []], stdin))
        return self._all(words, node.named_children, stdin)

    def _branches(
        self,
        words: Words,
        branches: Sequence[Sequence[Node]],
        stdin: Stream,
        conditions: int = 0,
    ) -> Stream:
        """Statements of which one or another list is run; the first begins with ``conditions`` that
        are run in any case. A variable that they set to different values has none that is known;
        one that had none before, the only one that they set. A file has what each of them writes.
        """
        before, written = dict(self.variables), dict(self.followed.written)
        self._spend(len(branches) * (len(before) + len(written)) // 20)
        printed: list[Stream] = []
        ends: list[dict[str, Word]] = []
        files: dict[str, list[Stream]] = {}
        for branch in branches:
            self._set(before)
            self.followed.written = dict(written)
            printed.append(self._all(words, branch[:conditions], stdin))
            self.conditional += 1
            printed.append(self._all(words, branch[conditions:], stdin))
            self.conditional -= 1
            conditions = 0
            ends.append(dict(self.variables))
            for name, stream in self.followed.written.items():
                if stream not in files.setdefault(name, []):
                    files[name].append(stream)
        self.followed.written = {name: _together(streams) for name, streams in files.items()}
        after: dict[str, Word] = {}
        for name in {name for end in ends for name in end}:
            values = {end[name].text: end[name] for end in ends if name in end}
            if len(values) == 1 and (name not in before or all(name in end for end in ends)):
                after |= {name: next(iter(values.values()))}
        self._set(after)
        return _together(printed)

    def _set(self, variables: dict[str, Word]) -> None:
        """Make these the variables; the object stays, for words look at it."""
        kept = dict(variables)
        self.variables.clear()
        self.variables.update(kept)

    def _assign(self, words: Words, node: Node) -> None:
        assignments = [node] if node.type == "variable_assignment" else node.named_children
        for one in assignments:
            name = one.child_by_field_name("name")
            if one.type != "variable_assignment" or name is None:
                continue
            value = one.child_by_field_name("value")
            found = word("", words.line(one)) if value is None else words.word(value)
            appends = any(child.type == "+=" for child in one.children)
            if found.opaque or found.unset or name.type != "variable_name" or appends:
                self.variables.pop(words.text(name), None)
            else:
                self.variables[words.text(name)] = found

    def _define(self, words: Words, node: Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self.functions[words.text(name)] = words, body

    def _for(self, words: Words, node: Node, stdin: Stream) -> Stream:
        """The body once for each word, where all are known; patterns of files are followed as
        such."""
        variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        if variable is None or body is None:
            return ()
        name = words.text(variable)
        values = [
            part
            for one in node.children_by_field_name("value")
            for part in _split(words.word(one), one)
        ]
        if not values or any(one.opaque or one.unset for one in values):
            self.variables.pop(name, None)
            return self._branches(words, [[body], []], stdin)
        printed: list[Stream] = []
        for value in values:
            self.variables[name] = value
            printed.append(self.run(words, body, stdin))
        if _PATTERN & {*values[-1].text}:
            self.variables.pop(name, None)
        return _together(printed)

    # Commands and where they read and write

    def _redirected(self, words: Words, node: Node, stdin: Stream) -> Stream:
        body = node.child_by_field_name("body")
        redirects = node.children_by_field_name("redirect")
        stdin, arguments = self._input(words, redirects, stdin)
        printed: Stream = ()
        if body is not None and body.type == "command":
            printed = self._command(words, body, stdin, arguments)
        elif body is not None:
            printed = self.run(words, body, stdin)
        outer = self._output(words, redirects, printed)
        for redirect in redirects:
            for child in redirect.named_children if redirect.type == "heredoc_redirect" else ():
                if child.type == "pipeline":
                    for piped in child.named_children:
                        outer = self.run(words, piped, outer)
                elif redirect.field_name_for_child(redirect.children.index(child)) == "right":
                    outer = (*outer, *self.run(words, child, ()))
        return outer

    def _input(
        self, words: Words, redirects: Iterable[Node], stdin: Stream
    ) -> tuple[Stream, list[Node]]:
        """What is read by redirections, and arguments that stand behind a here-document."""
        arguments: list[Node] = []
        for one in redirects:
            if one.type == "heredoc_redirect":
                start = next(child for child in one.children if child.type == "heredoc_start")
                stdin = self._document(words, one, plain=words.text(start)[:1] in "'\"\\")
                arguments += one.children_by_field_name("argument")
            elif one.type == "herestring_redirect":
                stdin = (Said(words.word(one.named_children[-1]).lines),)
            elif any(child.type == "<" for child in one.children):
                target = one.child_by_field_name("destination")
                stdin = () if target is None else self.file(words.word(target))
        return stdin, arguments

    def _document(self, words: Words, node: Node, *, plain: bool) -> Stream:
        """What stands up to the end that a here-document names; the grammar takes a line for it
        that only begins so, which is no script then."""
        parts = {child.type: child for child in node.children}
        body, end = parts.get("heredoc_body"), parts.get("heredoc_end")
        if end is not None and not words.is_whole_line(end):
            raise NotFollowed
        if body is None:
            return ()
        lines = words.document(body, expands=not plain).lines
        if any(child.type == "<<-" for child in node.children):
            lines = tuple(line._replace(text=line.text.lstrip("\t")) for line in lines)
            lines = lines[:-1] if lines and not lines[-1].text else lines
        self.followed.documents.append(lines)
        return (Said(lines),)

    def _output(self, words: Words, redirects: Iterable[Node], printed: Stream) -> Stream:
        """Write what is printed into a file, if it goes there; returns what goes on."""
        inner = [
            child
            for one in redirects
            for child in ([one] if one.type == "file_redirect" else one.named_children)
            if child.type == "file_redirect"
        ]
        for one in inner:
            kind = next((child.type for child in one.children if child.type in _OUTPUT), "")
            descriptor = one.child_by_field_name("descriptor")
            target = one.child_by_field_name("destination")
            if (
                kind
                and target is not None
                and (descriptor is None or words.text(descriptor) == "1")
            ):
                self.write(words.word(target).text, printed, appends=">>" in kind)
                printed = ()
        return printed

    def file(self, name: Word) -> Stream:
        """What is in a file."""
        held = self.followed.written.get(name.text)
        if held is None:
            return (File(name.text, name.line),)
        self.followed.read.add(name.text)
        return held

    def write(self, name: str, stream: Stream, *, appends: bool) -> None:
        """Keep what is written into a file."""
        if name not in _NOWHERE:
            before = self.followed.written.get(name, ()) if appends else ()
            self.followed.written[name] = (*before, *stream)

    def _command(self, words: Words, node: Node, stdin: Stream, further: Iterable[Node]) -> Stream:
        name = node.child_by_field_name("name")
        redirects = node.children_by_field_name("redirect")
        stdin, behind = self._input(words, redirects, stdin)
        if name is None:
            self._assign(words, node)
            return ()
        arguments = (*node.children_by_field_name("argument"), *behind, *further)
        said = [words.word(name)]
        said += (part for one in arguments for part in _split(words.word(one), one))
        return self._output(words, redirects, self.command(said, stdin))

    def command(self, said: Sequence[Word], stdin: Stream) -> Stream:
        """What a command prints."""
        self._spend(1)
        name = name_of(said[0].text)
        if name in self.functions:
            return self._function(name, said[1:], stdin)
        if name in self.tools:
            self.followed.calls.append(self._call(name, said, stdin))
            return (Unseen(name, said[0].line),)
        if name in programs.INTERPRETERS and name_of(_second(said)) in self.tools:
            return self.command(said[1:], stdin)
        if name == "eval":
            return self._inner(joined(said[1:], " "), stdin)
        if name in programs.RUNNERS:
            return self._runner(said, stdin)
        if not programs.is_known(name):
            before = len(self.followed.calls)
            self.followed.others.append((before, self._call(said[0].text, said, stdin)))
        return programs.output(name, said, stdin, self)

    def _call(self, name: str, said: Sequence[Word], stdin: Stream) -> Call:
        """A run of a program."""
        unknown = [(n, line.unknown) for n, one in enumerate(said) for line in one.lines]
        named = {part for one in said[1:] for part in _parts_of(one.text)}
        files = [(one, stream) for one, stream in self.followed.written.items() if one in named]
        return Call(
            (name, *(one.text for one in said[1:])),
            said[0].line,
            stdin,
            0 if self.inner else said[0].lines[0].column + 1,
            tuple(one for one in unknown if one[1]),
            tuple(files),
            bool(self.conditional),
        )

    def _spend(self, commands: int) -> None:
        """Count what is followed. Raises NotFollowed where it is too much."""
        self.commands += commands
        if self.commands > MOST_COMMANDS:
            raise NotFollowed

    def _function(self, name: str, arguments: Sequence[Word], stdin: Stream) -> Stream:
        words, body = self.functions[name]
        self.called.add(name)
        places = [str(number) for number in range(1, 10)]
        held = {place: self.variables.pop(place) for place in places if place in self.variables}
        self.variables |= dict(zip(places, arguments, strict=False))
        if arguments:
            self.variables |= {"@": joined(arguments, " "), "*": joined(arguments, " ")}
        printed = self.run(words, body, stdin)
        for place in (*places, "@", "*"):
            self.variables.pop(place, None)
        self.variables |= held
        return printed

    def _runner(self, said: Sequence[Word], stdin: Stream) -> Stream:
        """A program that runs another: what it is given as one text, or as words; else a shell
        that reads what to run."""
        given = next((n for n, one in enumerate(said) if n and self._is_script(one)), 0)
        if given:
            return self._inner(_whole(said[given:]), stdin)
        known = self.tools | programs.KNOWN | self.functions.keys()
        place = next((n for n, one in enumerate(said[1:], 1) if name_of(one.text) in known), 0)
        if place:
            fed = [not_known("$(xargs)", said[0].line)] if name_of(said[0].text) == "xargs" else []
            return self.command([*said[place:], *fed], stdin)
        lines = lines_of(stdin)
        if lines and any(tool in line.text.lower() for line in lines for tool in self.tools):
            return self._inner(Word(lines), ())
        return (Unseen(name_of(said[0].text), said[0].line),)

    def _is_script(self, one: Word) -> bool:
        lower = one.text.lower()
        return any(tool in lower for tool in self.tools) and len(lower.split()) > 1

    def _inner(self, one: Word, stdin: Stream) -> Stream:
        """A script within the script."""
        self.depth += 1
        self.inner += 1
        if self.depth > MOST_DEPTH:
            raise NotFollowed
        try:
            return self.script(one.text, one.line - 1, stdin)
        finally:
            self.depth -= 1
            self.inner -= 1


_GROUPS = frozenset(
    (
        "program",
        "compound_statement",
        "subshell",
        "do_group",
        "negated_command",
        "elif_clause",
        "else_clause",
        "command_substitution",
    )
)
"""Statements that run what stands in them, in order."""


def _second(said: Sequence[Word]) -> str:
    """The text behind the name of a program; empty if there is none."""
    return said[1].text if len(said) > 1 else ""


def _parts_of(text: str) -> tuple[str, ...]:
    """What a word may be as the name of a file: itself, what is behind ``@``, and behind ``=``."""
    return text, text.removeprefix("@"), text.partition("=")[2].removeprefix("@")


def _together(streams: Iterable[Stream]) -> Stream:
    """The streams one behind the other."""
    return tuple(part for stream in streams for part in stream)


def _conditions(node: Node) -> int:
    """How many statements decide whether an ``if`` or ``while`` runs the others."""
    return sum(one.is_named for one in node.children_by_field_name("condition"))


def _branches(node: Node) -> list[list[Node]]:
    """What an ``if`` runs: the condition with its own statements, and each other part."""
    others = [one for one in node.named_children if one.type in ("elif_clause", "else_clause")]
    own = [one for one in node.named_children if one not in others]
    ends = any(one.type == "else_clause" for one in others)
    return [own, *([one] for one in others), *([] if ends else [[]])]


def _whole(said: Sequence[Word]) -> Word:
    """A script that is given as one word; with those behind it where its quotes do not end in it,
    which is how it is meant."""
    return joined(said, " ") if said[0].text.count('"') % 2 else said[0]


def _split(one: Word, node: Node) -> list[Word]:
    """The words that a variable outside of quotes becomes; any other word as it is."""
    if node.type not in ("simple_expansion", "expansion") or one.unset:
        return [one]
    parts = [line._replace(text=part) for line in one.lines for part in line.text.split()]
    return [Word((part,), one.opaque) for part in parts]
