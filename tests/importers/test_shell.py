"""What a script gives to a program is what a real bash gives it: random scripts are followed and
run, with a program in the place of runmqsc that writes down what it reads.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from draws import draws

from topograph.importers.shell import File, Said, Unseen, follow
from topograph.importers.shell.streams import joined, lines_of
from topograph.importers.shell.syntax import NotFollowed, tree_of
from topograph.importers.shell.words import Words

SCRIPTS = draws(75)

BASH = shutil.which("bash")

TOOL = """#!/bin/sh
{ echo "$# $*"; cat; echo; echo "=end"; } >> "$LOG"
"""

WORDS = (
    "DEFINE QLOCAL(A)",
    "DEFINE QLOCAL('b.c')",
    "ALTER QMGR +",
    "DESCR(it is)",
    "* note",
    "END",
)
VARIABLES = ("QM", "FILE", "Q", "list")


class Script:
    """Draws a script."""

    def __init__(self, seed: int) -> None:
        self.at = random.Random(seed)
        self.functions: list[str] = []
        self.files: list[str] = []
        self.number = 0

    def text(self) -> str:
        body = [self.statement(3) for _ in range(self.at.randint(2, 7))]
        return "#!/bin/bash\n" + "".join(body)

    def statement(self, depth: int) -> str:
        kinds = [self.run, self.run, self.assign, self.written, self.inner, self.formatted]
        if depth:
            kinds += [self.loop, self.group, self.function, self.either]
        return self.at.choice(kinds)(depth)

    def value(self) -> str:
        """A value of one word."""
        return self.at.choice(("QM1", "QM2", "a.b", "X_1"))

    def word(self) -> str:
        """A word of a script that is one word to a shell, quoted in some way."""
        text = self.at.choice(WORDS)
        kind = self.at.randrange(5)
        if kind == 0:
            return "'" + text.replace("'", "'\\''") + "'"
        if kind == 1:
            return "".join(f"\\{one}" if one in " ()'*" else one for one in text)
        if kind == 2:
            return f"\"{text}\"'{self.value()}'"
        if kind == 3:
            name = self.at.choice(VARIABLES)
            return f'"{text} ${{{name}:-{self.value()}}}"'
        return f'"{text}"'

    def named(self) -> str:
        """The queue manager of a run."""
        return self.at.choice(
            (
                self.value(),
                f'"{self.value()}"',
                f"${{QM:-{self.value()}}}",
                f'"${{QM:-{self.value()}}}"',
            )
        )

    def lines(self) -> str:
        words = (
            *WORDS,
            "DEFINE QLOCAL(${Q:-A})",
            "$2 $1.${1:-x}",
            "DESCR(\\$Q \\\\ x)",
            'DESCR("a" $(echo b))',
        )
        return "".join(f"{self.at.choice(words)}\n" for _ in range(self.at.randint(1, 3)))

    def run(self, _depth: int) -> str:
        tool = self.at.choice(("runmqsc", "env runmqsc", "nice runmqsc", "runmqsc -e -w 3"))
        name = self.named()
        quoted = self.at.choice(("EOT", "'EOT'", '"EOT"'))
        pick = self.at.randrange(9)
        if pick == 0:
            return f"{tool} {name} <<{quoted}\n{self.lines()}EOT\n"
        if pick == 1:
            tabs = "".join(f"\t{line}\n" for line in self.lines().splitlines())
            return f"{tool} {name} <<-{quoted}\n{tabs}\tEOT\n"
        if pick == 2:
            return f"cat <<{quoted} | {tool} {name}\n{self.lines()}EOT\n"
        if pick == 3:
            return f"echo {self.word()} {self.word()} | {tool} {name} > out.log 2>&1\n"
        if pick == 4:
            return f"printf '%s\\n' {self.word()} {self.word()} | {tool} {name}\n"
        if pick == 5:
            return f"{tool} {name} <<< {self.word()}\n"
        if pick == 6 and self.files:
            return f"{tool} {name} < {self.at.choice(self.files)} || echo failed\n"
        if pick == 7 and self.files:
            both = " ".join(self.at.choice(self.files) for _ in range(2))
            return f"cat {both} |\\\n  {tool} {name}\n"
        inner = self.at.choice(WORDS).replace("'", "")
        return f"bash -c \"echo '{inner}' | runmqsc {self.value()}\"\n"

    def inner(self, _depth: int) -> str:
        """A script within the script."""
        inner = self.at.choice(WORDS)
        return self.at.choice(
            (
                f'bash -c "echo \\"{inner}\\" | runmqsc {self.value()}"\n',
                f'bash -c "runmqsc {self.value()}" <<< {self.word()}\n',
                f"bash <<EOT\nrunmqsc {self.value()} <<< '{self.value()}'\nEOT\n",
                f'eval "echo {self.value()} | runmqsc {self.value()}"\n',
                f": ${{QM:={self.value()}}}\n",
                "case x in a) true;; *) runmqsc QM1 <<< 'A';; esac\n",
            )
        )

    def formatted(self, _depth: int) -> str:
        form = self.at.choice(
            ("'DEFINE %s(%s)\\n'", '"%s %% "', "'%s\\n%s\\n'", "'a\\nb\\n'", "'%-9s|\\n'")
        )
        values = " ".join(self.value() for _ in range(self.at.randint(0, 3)))
        if form.startswith("'%-"):
            form = "'%s|\\n'"
        return f"printf {form} {values} | runmqsc {self.named()}\n"

    def assign(self, _depth: int) -> str:
        name = self.at.choice(VARIABLES)
        value = self.value()
        return self.at.choice(
            (f"{name}={value}\n", f'export {name}="{value} {value}"\n', f"{name}=$(echo {value})\n")
            if name == "list"
            else (f"{name}={value}\n", f"export {name}='{value}'\n", f"{name}=$(echo {value})\n")
        )

    def written(self, _depth: int) -> str:
        self.number += 1
        file = f"f{self.number}.mqsc"
        self.files.append(file)
        text = self.at.choice(
            (
                f"cat > {file} <<EOT\n{self.lines()}EOT\n",
                f"cat <<'EOT' > {file}\n{self.lines()}EOT\n",
                f"echo {self.word()} > {file}\n",
                f"tee {file} <<EOT >/dev/null\n{self.lines()}EOT\n",
            )
        )
        return text + (f"echo {self.word()} >> {file}\n" if self.at.random() < 0.4 else "")

    def loop(self, depth: int) -> str:
        values = self.at.choice(("A B.C", "'one word' two", "$list", "QM1 QM2"))
        body = self.statement(0) + f'echo "DEFINE QLOCAL($Q)" | runmqsc {self.named()}\n'
        return (
            f"for Q in {values}; do\n{body}done\n"
            if values != "$list"
            else (f'list="x y"\nfor Q in $list\ndo\n{body}done\n')
        )

    def group(self, depth: int) -> str:
        inner = "".join(f"echo {self.word()}\n" for _ in range(2))
        opens, closes = self.at.choice((("(", ")"), ("{", "}")))
        return f"{opens}\n{inner}{closes} | runmqsc {self.named()}\n"

    def function(self, depth: int) -> str:
        self.number += 1
        name = f"create{self.number}"
        body = 'echo "DEFINE QLOCAL($2)" | runmqsc $1\n' + self.run(0)
        return f"{name}() {{\n{body}}}\n{name} {self.value()} {self.value()}\n{name} QM3 'Z'\n"

    def either(self, depth: int) -> str:
        """A branch that is taken, and leaves things as they are."""
        return f"if true; then\n{self.run(0)}fi\n"


def really(script: str, folder: Path) -> list[tuple[str, list[str | None]]]:
    """What bash gives to each run: the arguments and the lines that are not empty."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "runmqsc").write_text(TOOL)
    (tools / "runmqsc").chmod(0o755)
    (folder / "script.sh").write_text(script)
    log = folder / "log"
    log.touch()
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "LOG": str(log), "LC_ALL": "C"}
    subprocess.run(
        [str(BASH), "script.sh"],
        cwd=folder,
        env=environment,
        timeout=60,
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    found = []
    for part in log.read_text().split("\n=end\n")[:-1]:
        arguments, *lines = part.split("\n")
        found.append((arguments.partition(" ")[2], [line for line in lines if line.strip()]))
    return found


def followed(script: str) -> list[tuple[str, list[str | None]]]:
    """What is given to each run; None for a line of which nobody knows all."""
    done = follow(script, ["runmqsc"])
    assert done is not None, script
    found = []
    for call in done.calls:
        lines = lines_of(call.input)
        assert lines is not None, (script, call)
        given = [None if one.unknown else one.text for one in lines if one.text.strip()]
        found.append((" ".join(call.words[1:]), given))
    return found


@pytest.mark.skipif(BASH is None, reason="no bash here to hold what is followed against")
@pytest.mark.parametrize("part", range(5))
def test_a_script_is_followed_as_bash_runs_it(part: int, tmp_path: Path) -> None:
    for seed in range(part, SCRIPTS, 5):
        script = Script(seed).text()
        folder = tmp_path / str(seed)
        folder.mkdir()
        told, ran = followed(script), really(script, folder)
        for (_, lines), (_, others) in zip(told, ran, strict=False):
            for place, line in enumerate(lines[: len(others)]):
                others[place] = others[place] if line is not None else None
        assert told == ran, script


def calls(script: str) -> list[tuple[tuple[str, ...], int, object]]:
    done = follow(script, ["runmqsc"])
    assert done is not None
    return [(call.words[1:], call.line, call.input) for call in done.calls]


@pytest.mark.parametrize(
    ("script", "given"),
    [
        ("sed s/a/b/ x | runmqsc A", (Unseen("sed", 1),)),
        ("./made.sh | runmqsc A", (Unseen("made.sh", 1),)),
        ("grep QLOCAL x.mqsc | runmqsc A", (Unseen("grep", 1),)),
        ("runmqsc A < x.mqsc", (File("x.mqsc", 1),)),
        ("\ncat x.mqsc y.mqsc | runmqsc A", (File("x.mqsc", 2), File("y.mqsc", 2))),
        ("for f in *.mqsc; do runmqsc A < $f; done", (File("*.mqsc", 1),)),
        ("runmqsc A < $HOME/x.mqsc", (File("$HOME/x.mqsc", 1),)),
        ("grep -v '^\\*' x.mqsc | runmqsc A", (File("x.mqsc", 1),)),
        ("runmqsc A", ()),
    ],
)
def test_what_only_a_run_could_tell_is_said(script: str, given: object) -> None:
    ((_, _, found),) = calls(script)
    assert found == given


@pytest.mark.parametrize(
    "script",
    [
        "if x; then Q=A; else Q=B; fi; runmqsc $Q <<< x",
        "case $1 in a) Q=A;; *) Q=B;; esac; runmqsc $Q <<< x",
        "Q=A; while read l; do Q=B; done; runmqsc $Q <<< x",
        "Q=A; [ $1 ] && Q=B; runmqsc $Q <<< x",
        "Q=A; read Q; runmqsc $Q <<< x",
        "Q=$(hostname); runmqsc $Q <<< x",
        "Q=A; unset Q; runmqsc $Q <<< x",
        "f() { runmqsc $Q <<< x; }",
    ],
)
def test_a_value_that_depends_on_the_run_is_not_known(script: str) -> None:
    (((name,), _, _),) = calls(script)
    assert name == "$Q"


def test_a_branch_that_sets_a_default_says_it() -> None:
    (((name,), _, _),) = calls('if [ -z "$Q" ]; then Q=A; fi; runmqsc $Q <<< x')
    assert name == "A"


def test_lines_are_those_of_the_script() -> None:
    script = "\n\nA='one\ntwo'\necho \"$A\" \\\n  three | runmqsc Q\n"
    ((_, line, (said,)),) = calls(script)
    assert isinstance(said, Said)
    assert (line, [one[:2] for one in said.lines]) == (6, [(3, "one"), (4, "two three")])


def test_conversions_and_dates_are_no_variables_of_a_batch_file() -> None:
    ((_, _, (said,)),) = calls("printf '%s%s\\n' a b `date +%Y%m%d` | runmqsc Q\n")
    assert isinstance(said, Said)
    assert said.lines[0].text == "ab"


@pytest.mark.parametrize(
    "script",
    [
        "set Q=A\nrunmqsc %Q1% < x\n",
        "DEFINE QLOCAL(A)\n",
        "f() { f; f; }\nf\nrunmqsc A <<< x\n",
        "(" * 200 + "runmqsc A" + ")" * 200,
        "for a in 1 2 3 4 5 6 7 8 9; do " * 9 + "echo x;" + "done;" * 9,
        "runmqsc A <<EO\nEOF\nEO\n",
        "eval 'echo (' | runmqsc A",
    ],
)
def test_what_cannot_be_followed_is_none(script: str) -> None:
    assert follow(script, ["runmqsc"]) is None


@pytest.mark.parametrize(
    "line",
    [
        "echo 'DEFINE QLOCAL(A)' | runmqsc A\n",
        "A=b ",
        "'a'",
        "$(",
        "runmqsc A <<E\n",
        "(((",
        "if x; then A{n}=b; echo > f{n}; fi\n",
        "f()\n",
        '"X"X',
    ],
)
def test_long_scripts_take_linear_time(line: str) -> None:
    for length in (20_000, 200_000):
        lines = (line.replace("{n}", str(n)) for n in range(length // len(line)))
        script = "".join(lines)
        began = time.process_time()
        follow(script, ["runmqsc"])
        assert time.process_time() - began < length / 10_000


PIECES = (
    *("a", "]", "[", "'q'", '"d"', "\\x", "\\\n", "$X", "1", "=", "{", "}", "\\\\", "''", "é", "#"),
    *("~", "*", "$(echo z)", ",", "@", "\\'"),
)


def concatenations(node) -> list:
    below = [one for child in node.children for one in concatenations(child)]
    return [node, *below] if node.type == "concatenation" else below


def test_parts_of_a_word_that_are_read_together_say_what_each_says_alone() -> None:
    at, compared = random.Random(3), 0
    for _ in range(800):
        script = "echo " + "".join(at.choices(PIECES, k=at.randint(2, 9))) + "\n"
        words = Words(script.encode(), {}, lambda *_: (), 0)
        with suppress(NotFollowed):
            for node in concatenations(tree_of(script.encode())):
                compared += 1
                apart = [words.word(child) for child in node.children]
                assert words.word(node) == joined(apart), script
    assert compared > 300
