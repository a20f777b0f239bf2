"""What is read of a Jython script is what the script says when it runs (sibus.md A4.2): the same
statements are run as Python, with an ``AdminTask`` that writes down what it is given.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import pytest

from topograph.importers.sibus.admin_words import HOLE, Value
from topograph.importers.sibus.jython import read_jython

FIRST = """n = '3'
word = ' Ab c '
pair = ['p', 'q']
rows = [['B', 'X'], ['B', 'Y'], ['C', '']]
"""

FOLLOWED = (
    *("'a'", "'a' 'b'", "'a' + 'b'", "('a' 'b')", "('a')", "('a',)", "('a', 'b')", "[]", "['']"),
    *("['a',]", "[['a', 'b'], 'c']", "[('a', 'b')]", "(['a'])", "7", "-7", "[-1, 2]", "None"),
    *("word", "word.strip()", "word.lstrip()", "word.rstrip()", "word.upper()", "word.lower()"),
    *("word.split()", "word.split('b')", "'a\\nb'.splitlines()", "'a,b,,c'.split(',')"),
    *("','.join(pair)", "''.join(['a', 'b', 'c'])", "'-'.join([])", "'-'.join('a b'.split())"),
    *("word.strip().upper()", "('a' + 'b').upper()", "'x' + word.strip() + 'y'", "pair[0]"),
    *("pair[1]", "rows[1][1]", "rows[2][1]", "rows[0]", "[pair[0], rows[2][0]]", "pair + ['r']"),
    *("pair + pair", "[] + pair", "pair + rows[0]", "'[-bus B -name ' + pair[1] + ']'"),
    *("'%s' % 'a'", "'a%sb' % word", "'%s-%s' % ('a', 'b')", "'%s%%' % 'a'", "'%%%s' % 'a'"),
    *("'%d' % 4", "'%i.%s' % (4, 'x')", "'%s' % pair[0] + 'z'", "'a' + '%s' % n", "str('a')"),
    *("str(4)", "4 + 5", "-3 + 10 + 1", "str(1 + 2) + str(3)", "'%d' % (9 + 1)", "'Q' + str(12)"),
    *("range(3)", "range(1)", "range(0)", "range(2, 5)", "range(5, 2)"),
    *("range(0, 9, 4)", "range(1, 2, 1)", "range(12345, 12347)", "('a', ('b', 'c'))[1][0]"),
    *("['a', 'b', 'c'][2]", "'a' + ('b' + 'c')", "[word.strip(), 'a'][0]", "(pair)[1]"),
)

LEFT_OPEN = (
    *("rows[-1]", "pair[-1]", "pair[0:1]", "pair[1:]", "pair * 2", "len(pair)", "word[0]"),
    *("word.replace('b', 'x')", "'xax'.strip('x')", "'a b'.split(' ', 1)", "sorted(pair)", "n * 2"),
    *("'%r' % 'a'", "'%5s' % 'a'", "range(1, 9, -1)", "range(-2, 2)", "{'a': 'b'}['a']", "not n"),
    *("'a' == 'b'", "'a' in pair", "lambda: 'a'", "[x for x in pair]", "'a' and 'b'", "1 - 2"),
    *("str(pair)", "word.upper", "pair.index('q')", "'a'.join", "{'a': 'b'}", "'-'.join(n)"),
    *("('a' if n else 'b')", "max(range(3))", "'%s' % pair", "[] or pair", "(lambda: 'a')()"),
)

SHAPES = (
    "{}",
    "[{}, 'z']",
    "('z', {})",
    "['-name', {}, ['u', {}]]",
    "str({})",
    "{}[0]",
    "{} + 'z'",
)


class Ran:
    """Writes down the arguments of each call."""

    def __init__(self) -> None:
        self.given: list[list[Any]] = []

    def call(self, *arguments: object) -> str:
        self.given.append([_plain(one) for one in arguments])
        return ""


def run(script: str) -> list[list[Any]]:
    ran = Ran()
    names = {"AdminTask": ran, "range": lambda *ends: list(range(*ends))}
    exec(compile(script, "script", "exec"), names)
    return ran.given


def _plain(value: object) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read(script: str) -> list[list[Value]]:
    calls = read_jython(script).calls
    assert all(call.certain for call in calls)
    return [list(call.arguments) for call in calls]


def fits(said: Value | Sequence[Value], real: Any) -> bool:
    """Whether a value that may have holes can be the real one."""
    if isinstance(said, str):
        if said == HOLE:
            return True
        pattern = ".*".join(map(re.escape, said.split(HOLE)))
        return isinstance(real, str) and re.fullmatch(pattern, real, re.S) is not None
    return (
        isinstance(real, list)
        and len(said) == len(real)
        and all(fits(one, there) for one, there in zip(said, real, strict=True))
    )


@pytest.mark.parametrize("expression", FOLLOWED)
def test_an_expression_has_the_value_that_python_gives_it(expression: str) -> None:
    script = f"{FIRST}x = {expression}\nAdminTask.call(x)\nAdminTask.call('a', {expression}, 'b')\n"
    assert read(script) == run(script)


@pytest.mark.parametrize("expression", LEFT_OPEN)
def test_of_an_expression_that_is_not_followed_nothing_wrong_is_said(expression: str) -> None:
    script = f"{FIRST}x = {expression}\nAdminTask.call(x)\nAdminTask.call('a', {expression}, 'b')\n"
    said, real = read(script), run(script)
    assert fits(said, real)
    assert (said[0], said[1][0], said[1][-1]) == ([HOLE], "a", "b")


@pytest.mark.parametrize("shape", SHAPES)
def test_values_within_values_are_those_of_python_or_open(shape: str) -> None:
    for expression in FOLLOWED + LEFT_OPEN:
        script = f"{FIRST}AdminTask.call('a', {shape.replace('{}', expression)}, 'b')\n"
        try:
            real = run(script)
        except Exception:  # nothing is said of a script that Python ends
            continue
        assert fits(read(script), real), script


@pytest.mark.parametrize(
    "script",
    [
        "for x in pair:\n    AdminTask.call(x)\nAdminTask.call('end')\n",
        "for x in pair: AdminTask.call(x)\n",
        "for a, b in rows:\n    AdminTask.call(a, b)\n",
        "for (a, b) in rows:\n    AdminTask.call(b + a)\n",
        "for x in range(3):\n    for y in pair:\n        AdminTask.call('Q%s%s' % (x, y))\n",
        "for x in range(2, 4):\n    y = 'Q' + str(x)\n    AdminTask.call(y)\n",
        "for x in []:\n    AdminTask.call(x)\nAdminTask.call('end')\n",
        "for x in 'a b'.split():\n    AdminTask.call(x)\n",
        "for x in ('a', 'b'):\n    AdminTask.call([x, pair])\n",
        "x = []\nx.append('a')\nx.append(['b'])\nAdminTask.call(x)\n",
        "x = ['a']\nx.extend(pair)\nx += ['z']\nAdminTask.call(x)\n",
        "x = 'a'\nx += 'b'\nAdminTask.call(x)\nx += n\nAdminTask.call(x)\n",
        "x = ''\nfor y in pair:\n    x = x + y\nAdminTask.call(x)\n",
        "x = 'a'; y = x; x = 'b'\nAdminTask.call(x, y)\n",
        "x = pair\ny = x\nx = ['b']\nAdminTask.call(x, y, pair)\n",
        "x = rows[0]\nx = 'b'\nAdminTask.call(x, rows)\n",
        "x = ('a' +\n     'b')\nAdminTask.call(x,\n  'c')\n",
        "x = 'a' \\\n  'b'\nAdminTask.call(x)  # 'c'\n",
        "x = '''a\nb'''\nAdminTask.call(x)\n",
        "x = \"it's\"\nAdminTask.call(x, 'a\"b', '\\t\\\\\\'')\n",
        "try:\n    AdminTask.call('a')\nexcept:\n    pass\nAdminTask.call('b')\n",
    ],
)
def test_statements_are_followed_as_python_follows_them(script: str) -> None:
    assert read(FIRST + script) == run(FIRST + script)


_STATEMENTS = (
    *("x = pair", "x = []", "x = ['a']", "x = 'a'", "y = x", "y = ['b', 'c']", "y = 'b'"),
    *("x.append('d')", "x.append(y)", "x.extend(y)", "y.append(x)", "x += ['e']", "y = word + 'f'"),
    *("x.insert(0, 'g')", "x.pop()", "x.reverse()", "x[0] = 'h'", "del y[0]", "x, y = y, x"),
    *("pair.append('r')", "rows[0].append('s')", "x = y = ['k']", "z = [x, y]", "x = rows[0]"),
    *("def change(a): a.append('m')", "change(x)", "change(rows)", "x = x + y", "x = list(y)"),
    "def other():\n  global y\n  y = 'o'",
    *("other()", "if n == '4':\n  x = 't'", "if n:\n  x = 'u'\nelse:\n  y = 'v'"),
    *("for y in pair:\n  x = y", "for z in x:\n  y = z", "while 0:\n  x = 'w'"),
)


def test_what_random_statements_leave_is_that_of_python_or_open() -> None:
    compared = 0
    for seed in range(300):
        at = random.Random(seed)
        body = "\n".join(at.choice(_STATEMENTS) for _ in range(at.randrange(1, 7)))
        script = f"{FIRST}x = y = z = ''\n{body}\nAdminTask.call(x, y, z, pair, rows)\n"
        try:
            real = run(script)
        except Exception:  # nothing is said of a script that Python ends
            continue
        compared += 1
        assert fits(read(script), real), body
    assert compared > 90


@pytest.mark.parametrize("sum_", ["010 + 1", "1 + 010", "0x1F + 1", "1L + 1", "1.5 + 1"])
def test_a_sum_of_numbers_that_are_not_decimal_is_left_open(sum_: str) -> None:
    """010 is 8 in Jython."""
    ((value,),) = read(f"AdminTask.call({sum_})\n")
    assert value == HOLE


@pytest.mark.parametrize("number", ["010", "-010", "0x1F"])
def test_a_number_that_is_not_printed_as_it_is_written_is_left_open(number: str) -> None:
    ((value,),) = read(f"AdminTask.call({number})\n")
    assert value == HOLE
