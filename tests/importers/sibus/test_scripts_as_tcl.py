"""What is read of a Jacl script is what Tcl makes of its words (sibus.md A4.2)."""

from __future__ import annotations

import pytest

from topograph.importers.sibus.admin_words import HOLE, Value
from topograph.importers.sibus.jacl import read_jacl

FIRST = """set n 3
set two {a b}
set rows [list [list B X] [list C {Y Z}]]
"""


def given(script: str) -> list[list[Value]]:
    """The arguments of each call, the variables of ``FIRST`` set."""
    return [list(call.arguments) for call in read_jacl(FIRST + script).calls]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("a b", ["a", "b"]),
        ("{a b} c", ["a b", "c"]),
        ('"a b" c', ["a b", "c"]),
        ("{a {b c}} {}", ["a {b c}", ""]),
        ("$n x$n ${n}x $n.y", ["3", "x3", "3x", "3.y"]),
        ("{$n} \\$n", ["$n", "$n"]),
        ('"-name $n" "[list a b]"', ["-name 3", ["a", "b"]]),
        ("[list a $n {b c}]", [["a", "3", "b c"]]),
        ("[list a [list b c]]", [["a", ["b", "c"]]]),
        ("$two x$two", ["a b", "xa b"]),
        ("$rows", [[["B", "X"], ["C", "Y Z"]]]),
        ('"$rows"', ["{B X} {C {Y Z}}"]),
        ("$other x$other", [HOLE, f"x{HOLE}"]),
        ("[expr 1 + 2] a", [HOLE, "a"]),
        ("a \\\n b", ["a", "b"]),
        ("{a \\\n b}", ["a   b"]),
        ("a ;# b", ["a"]),
        ("a#b #c", ["a#b", "#c"]),
        ("a{b} a\\ b a;", ["a{b}", "a b", "a"]),
        ("a\\;b a[list b]c", ["a;b", "abc"]),
        ("{a\\}b} c", ["a\\}b", "c"]),
        ('"a\\"b" c', ['a"b', "c"]),
        ('"a[list "b c"]d" e', ["a{b c}d", "e"]),
        ("[set n 4] $n", ["4", "4"]),
    ],
)
def test_words_are_those_of_tcl(words: str, expected: list[Value]) -> None:
    assert given(f"$AdminTask call {words}\n") == [expected]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("foreach x {a b} { $AdminTask call $x }", [["a"], ["b"]]),
        ("foreach x $two { $AdminTask call $x }", [["a"], ["b"]]),
        ("foreach x {} { $AdminTask call $x }\n$AdminTask call z", [["z"]]),
        ("foreach {x y} {a b c d} { $AdminTask call $y $x }", [["b", "a"], ["d", "c"]]),
        ("foreach x $rows { $AdminTask call $x }", [[["B", "X"]], [["C", "Y Z"]]]),
        ("foreach x [list a b] { set y $x }\n$AdminTask call $y", [["b"]]),
        ("set x {}\nlappend x a\nlappend x b {c d}\n$AdminTask call $x", [[["a", "b", "c d"]]]),
        ("lappend x a\n$AdminTask call $x", [[["a"]]]),
        ("lappend two c\n$AdminTask call $two", [[["a", "b", "c"]]]),
        ("catch { $AdminTask call a }\n$AdminTask call b", [["a"], ["b"]]),
        ("$AdminTask call [subst {x$n}]", [["x3"]]),
        ("# $AdminTask call a\n$AdminTask call b", [["b"]]),
        ("set x a; set x ${x}b; $AdminTask call $x", [["ab"]]),
        ("puts [$AdminTask call a]", [["a"]]),
        ("if {[$AdminConfig hasChanges]} { $AdminTask call a }", [["a"]]),
        ("incr n\n$AdminTask call $n", [[HOLE]]),
        ("append two c\n$AdminTask call $two $n", [[HOLE, "3"]]),
        ("unset n\n$AdminTask call $n $two", [[HOLE, "a b"]]),
        ("source x.jacl\n$AdminTask call $n", [[HOLE]]),
        ("if {$n == 3} { set two x; set m y }\n$AdminTask call $two $n", [[HOLE, "3"]]),
        ("if {$n == 3} { set n 3 }\n$AdminTask call $n", [[HOLE]]),
        ("if {$two} { incr n }\n$AdminTask call $n $two", [[HOLE, "a b"]]),
        ("if {$n} { lappend two c }\n$AdminTask call $n $two", [["3", HOLE]]),
        ("if {$n} { unset two }\n$AdminTask call $n $two", [["3", HOLE]]),
        ("while {$n} { gets stdin two }\n$AdminTask call $n $two", [["3", HOLE]]),
        ("if {$n} { source x.jacl }\n$AdminTask call $n $two", [[HOLE, HOLE]]),
        ("proc p {} { set n 4 }\n$AdminTask call $n", [["3"]]),
        ("proc p {} { global n; set n 4 }\n$AdminTask call $n $two", [[HOLE, "a b"]]),
        ("proc p {} {\n global n two\n set n 4 }\n$AdminTask call $n $two", [[HOLE, "a b"]]),
        ("proc p {} {\n global n\n incr n }\n$AdminTask call $n", [[HOLE]]),
        ("proc p {} {\n global n\n puts $n }\n$AdminTask call $n", [["3"]]),
    ],
)
def test_commands_are_followed_as_tcl_follows_them(
    script: str, expected: list[list[Value]]
) -> None:
    assert given(f"{script}\n") == expected


@pytest.mark.parametrize(
    ("script", "certain"),
    [
        ("foreach x {a b} { $AdminTask call $x }", [True, True]),
        ("foreach x {a b} { $AdminTask call $x; break }", [False]),
        ("foreach x {a b} { if {$n} { continue }; $AdminTask call $x }", [False]),
        ("foreach x $other { $AdminTask call a }", [False]),
        ("foreach {x y} {a b c} { $AdminTask call a }", [False]),
        ("foreach x {a} { foreach y {b} { $AdminTask call $x$y } }", [True]),
        ("while {$n} { $AdminTask call a }", [False]),
        ("if {$n} { $AdminTask call a } else { $AdminTask call b }", [False, False]),
        ("if {$n} { foreach x {a b} { $AdminTask call $x } }", [False]),
        ("proc p {} { $AdminTask call a }", [False]),
        ("catch { $AdminTask call a }", [True]),
        ("if {$n} { catch { $AdminTask call a } }", [False]),
    ],
)
def test_a_call_is_certain_where_the_script_comes_there(script: str, certain: list[bool]) -> None:
    assert [call.certain for call in read_jacl(FIRST + script).calls] == certain


def test_a_call_stands_where_its_first_word_stands() -> None:
    script = (
        "\n  $AdminTask call a\nforeach x {a b} {\n  $AdminTask call $x\n}\nputs [$AdminTask call]"
    )
    calls = read_jacl(script).calls

    assert [(call.line, call.column) for call in calls] == [(2, 3), (4, 3), (4, 3), (6, 7)]
