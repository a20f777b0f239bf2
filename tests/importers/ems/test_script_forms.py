"""The tool gets the same commands, whatever the script gives them to it by."""

from __future__ import annotations

import pytest

from topograph.importers.ems.commands import read_script

TOOL = "tibemsadmin -server tcp://a:7222"
COMMANDS = ("create topic x", "create topic y")
TEXT = "".join(f"{command}\n" for command in COMMANDS)

FORMS = {
    "here-document": f"{TOOL} <<EOF\n{TEXT}EOF\n",
    "through cat": f"cat <<EOF | {TOOL}\n{TEXT}EOF\n",
    "printf": f"printf '%s\\n' 'create topic x' 'create topic y' | {TOOL}\n",
    "subshell": f"(echo 'create topic x'; echo 'create topic y') | {TOOL}\n",
    "two runs": f"echo create topic x | {TOOL}\n{TOOL} <<< 'create topic y'\n",
    "loop": f"for t in x y; do echo create topic $t | {TOOL}; done\n",
    "function": f'make() {{\n{TOOL} <<EOF\ncreate topic $1\nEOF\n}}\nmake x\nmake "y"\n',
    "written before": f"cat > c <<EOF\n{TEXT}EOF\n{TOOL} -script c\n",
    "written by echo": f"echo create topic x > c\necho create topic y >> c\n{TOOL} < c\n",
    "variable": f"A='create topic x\ncreate topic y'\necho \"$A\" | {TOOL}\n",
    "container": f"docker exec -i ems {TOOL} <<EOF\n{TEXT}EOF\n",
    "other machine": f'ssh host "{TOOL}" <<EOF\n{TEXT}EOF\n',
}


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_a_script_changes_nothing(form: str) -> None:
    commands = read_script(FORMS[form].encode(), "x.sh").commands
    assert [(one.text, one.connected, one.fault) for one in commands] == [
        (command, "tcp://a:7222", "") for command in COMMANDS
    ]


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        (f"cat c | {TOOL}\n", "the commands are in c,"),
        (f"sed s/a/b/ c | {TOOL}\n", "the commands are what sed prints,"),
        (f"echo create topic $T | {TOOL}\n", "the script does not say what $T stands for"),
        (
            f"while read t; do echo create topic $t; done < c | {TOOL}\n",
            "the script does not say what $t stands for",
        ),
        (
            f"{TOOL} <<EOF\ncreate topic $(hostname)\nEOF\n",
            "the script does not say what the output",
        ),
    ],
)
def test_what_only_a_run_could_tell_is_a_fault(script: str, fault: str) -> None:
    (command,) = read_script(script.encode(), "x.sh").commands
    assert command.fault.startswith(fault)
