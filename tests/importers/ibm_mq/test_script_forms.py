"""A queue manager has the same objects, whatever the script gives them to it by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import topograph

COMMANDS = (
    "DEFINE QLOCAL(IN.Q)",
    "DEFINE QALIAS(AL) TARGET(IN.Q)",
    "DEFINE QLOCAL('small.case') DESCR('it is')",
    "DEFINE QREMOTE(R) RNAME(FAR) RQMNAME(QM9) XMITQ(QM9)",
    "DEFINE QLOCAL(QM9) USAGE(XMITQ)",
)
TEXT = "".join(f"{command}\n" for command in COMMANDS)
HERE = f"<<EOF\n{TEXT}EOF\n"
ONE = {"objects.mqsc": TEXT}
TWO = {"a.mqsc": "\n".join(COMMANDS[:2]) + "\n", "b.mqsc": "\n".join(COMMANDS[2:]) + "\n"}


def each(form: str) -> str:
    """One line for each command, in the place of ``{}``."""
    return "".join(form.replace("{}", command) + "\n" for command in COMMANDS)


FORMS: dict[str, tuple[str, Mapping[str, str]]] = {
    "here-document": (f"runmqsc QM1 {HERE}", {}),
    "with tabs": ("runmqsc QM1 <<-'EOF'\n" + each("\t{}") + "\tEOF\n", {}),
    "through cat": (f"cat <<EOF | runmqsc QM1 > out.log 2>&1\n{TEXT}EOF\n", {}),
    "in a condition": (f"if ! runmqsc QM1 {HERE}then\n  exit 1\nfi\n", {}),
    "echo": (each('echo "{}" | runmqsc QM1'), {}),
    "printf": (
        "printf '%s\\n' " + " ".join(f'"{one}"' for one in COMMANDS) + " | runmqsc QM1\n",
        {},
    ),
    "printf of one text": ('printf "' + "\\n".join(COMMANDS) + '\\n" | runmqsc QM1\n', {}),
    "here-string": (each('runmqsc QM1 <<< "{}"'), {}),
    "group": ("{\n" + each('  echo "{}"') + "} | runmqsc QM1\n", {}),
    "subshell": ("(\n" + each('  echo "{}"') + ") | runmqsc QM1\n", {}),
    "file": ("runmqsc QM1 < objects.mqsc\n", ONE),
    "file first": ("< objects.mqsc runmqsc QM1\n", ONE),
    "file with another end": ("runmqsc QM1 < mq/objects.tst\n", {"mq/objects.tst": TEXT}),
    "option": ("runmqsc -f objects.mqsc QM1\n", ONE),
    "cat": ("cat objects.mqsc | runmqsc QM1\n", ONE),
    "cat of two": ("cat a.mqsc b.mqsc | runmqsc QM1\n", TWO),
    "comments left out": ("grep -v '^\\*' objects.mqsc | runmqsc QM1\n", ONE),
    "loop over a pattern": ('for f in *.mqsc; do runmqsc QM1 < "$f"; done\n', TWO),
    "loop over files": ("for f in a b; do\n  runmqsc QM1 < $f.mqsc\ndone\n", TWO),
    "loop over queues": (
        'for q in OTHER IN.Q; do\n  echo "DEFINE QLOCAL($q)" | runmqsc QM1\ndone\n'
        + "".join(f'echo "{one}" | runmqsc QM1\n' for one in COMMANDS[1:]),
        {},
    ),
    "folder of the script": ('DIR=$(dirname "$0")\nrunmqsc QM1 < "$DIR/objects.mqsc"\n', ONE),
    "another user": ('su - mqm -c "runmqsc QM1 < objects.mqsc"\n', ONE),
    "another user's echo": (each('su mqm -c "echo \\"{}\\" | runmqsc QM1"'), {}),
    "sudo": (f"sudo -iu mqm /opt/mqm/bin/runmqsc -e QM1 {HERE}", {}),
    "container": ("docker exec -i mq runmqsc QM1 < objects.mqsc\n", ONE),
    "container's shell": (each('docker exec mq bash -c "echo \\"{}\\" | runmqsc QM1"'), {}),
    "pod": ("cat objects.mqsc | kubectl exec -i mq-0 -n ns -- runmqsc QM1\n", ONE),
    "other machine": ('ssh mqm@host "runmqsc QM1" < objects.mqsc\n', ONE),
    "variable": (f"export QMGR=QM1\nrunmqsc ${{QMGR}} {HERE}", {}),
    "default": (f"QM=${{1:-QM1}}\nrunmqsc $QM {HERE}", {}),
    "written before": (f"cat > /tmp/x <<EOF\n{TEXT}EOF\nrunmqsc QM1 < /tmp/x\n", {}),
    "written by echo": ("rm -f x\n" + each('echo "{}" >> x') + "runmqsc QM1 < x\n", {}),
    "function": (f"create() {{\nrunmqsc $1 {HERE}}}\ncreate QM1\n", {}),
    "function that nobody calls": (f"create() {{\nrunmqsc QM1 {HERE}}}\n", {}),
    "created before": (f"crtmqm -u DLQ QM1 && strmqm QM1 && runmqsc QM1 {HERE}", {}),
    "line that goes on": ("time runmqsc \\\n  QM1 \\\n  < objects.mqsc\n", ONE),
    "batch file": ("@echo off\r\nset QM=QM1\r\nrunmqsc %QM% < objects.mqsc\r\n", ONE),
    "batch file's echo": ("@echo off\r\n" + each("echo {} | runmqsc QM1"), {}),
    "batch file's type": ("type objects.mqsc | runmqsc QM1\r\n", ONE),
    "PowerShell": (f'@"\n{TEXT}"@ | runmqsc QM1\n', {}),
}


def outcomes(folder: Path, script: str, files: Mapping[str, str]) -> list[list[str]]:
    (folder / "setup.sh").write_text(script, encoding="utf-8")
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    network = topograph.read(folder)
    return [
        list(network.trace("QM1", f"queue:{name}").outcomes)
        for name in ("AL", "small.case", "R", "NO")
    ]


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_a_script_changes_nothing(form: str, tmp_path: Path) -> None:
    assert outcomes(tmp_path, *FORMS[form]) == [
        ["DELIVERED(IN.Q@QM1)"],
        ["DELIVERED(small.case@QM1)"],
        ["HELD(QM9, QM1, no channel)"],
        ["REJECTED(2085)"],
    ]


@pytest.mark.parametrize(
    "script",
    [
        "sed 's/@QM@/QM2/' objects.mqsc | runmqsc QM1\n",
        "./generate.sh | runmqsc QM1\n",
        'while read q; do echo "DEFINE QLOCAL($q)"; done < names | runmqsc QM1\n',
        'for q in $(cat names); do echo "DEFINE QLOCAL($q)" | runmqsc QM1; done\n',
        "runmqsc QM1 <<EOF\n$(./generate.sh)\nEOF\n",
        "runmqsc QM1 <<EOF\n$MORE\nEOF\n",
        "./generate.sh | runmqsc QM1\nif broken\n",  # no script by the grammar of a shell
        'for f in /opt/mq/*.mqsc; do runmqsc QM1 < "$f"; done\n',
    ],
)
def test_what_only_a_run_could_tell_leaves_other_names_open(script: str, tmp_path: Path) -> None:
    """The queue that nothing defines here may be defined by it."""
    found = outcomes(tmp_path, f"runmqsc QM1 {HERE}{script}", {})
    assert found[0] == ["DELIVERED(IN.Q@QM1)"]
    traced = topograph.read(tmp_path).trace("QM1", "queue:NO")
    assert [one.confidence for one in traced.assumptions if one.rule == "C-11"] == ["L"]


def test_what_either_branch_writes_into_a_file_is_read(tmp_path: Path) -> None:
    one, other = COMMANDS[0], COMMANDS[2]
    script = f'if test $1; then\necho {one!r} > f\nelse\necho "{other}" > f\nfi\n'
    found = outcomes(tmp_path, f"{script}runmqsc QM1 < f\n", {})
    assert found[1] == ["DELIVERED(small.case@QM1)"]
    assert topograph.read(tmp_path).trace("QM1", "queue:IN.Q").outcomes == ("DELIVERED(IN.Q@QM1)",)
