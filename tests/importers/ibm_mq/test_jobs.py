"""Jobs of z/OS: which queue manager gets which commands, and what nobody knows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import topograph
from topograph.importers.ibm_mq.jcl import is_job, read_job


def queues(folder: Path) -> set[tuple[str, str, str]]:
    """Server, queue and file of each queue that a folder shows."""
    shown = topograph.read(folder).show("queues")
    return {(row["server"], row["name"], row["source"]["file"]) for row in shown.to_dict()["rows"]}


def incomplete(folder: Path) -> bool:
    """Whether an answer about a queue that no file shows says that more may be there."""
    answer = topograph.read(folder).trace("CSQ1", "queue:NOT.SHOWN")
    doubted = any(one.confidence == "L" for one in answer.assumptions)
    return doubted and any(one.rule == "incomplete" for one in answer.warnings)


class DrawnJob:
    """A job of several steps in one of the ways to write it, with the queues that it defines."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)
        self.lines = ["//DEFS     JOB (ACCT),'MQ DEFINITIONS',CLASS=A"]
        self.members: dict[str, str] = {}
        self.expected: set[tuple[str, str, str]] = set()
        self.number = 0
        for step in range(self.chance.randint(1, 4)):
            self.step(step)

    def step(self, step: int) -> None:
        manager = f"CSQ{self.chance.randint(1, 3)}"
        self.remark()
        self.execute(step, manager)
        self.lines.append("//SYSPRINT DD SYSOUT=*")
        commands, data = [], []
        for place in range(self.chance.randint(1, 2)):
            name = self.chance.choice(["", f"IN{place}"]) if not place else f"IN{place}"
            target = self.chance.choice([manager, manager, f"CSQ{self.chance.randint(1, 3)}"])
            words = ["COMMAND", *([f"DDNAME({name})"] if name else [])]
            if target != manager:
                words.append(f"TGTQMGR({target})")
            commands.append(" +\n  ".join(words) if self.chance.random() < 0.3 else " ".join(words))
            data += self.data(name or "CSQUCMD", target)
        statements = ["//SYSIN    DD *", *"\n".join(commands).split("\n"), "/*"]
        self.lines += statements + data if self.chance.random() < 0.5 else data + statements

    def execute(self, step: int, manager: str) -> None:
        way = self.chance.randrange(5)
        begin = f"//STEP{step}    EXEC PGM=CSQUTIL,"
        if way == 0:
            self.lines.append(f"{begin}PARM='{manager}'")
        elif way == 1:
            self.lines.append(f"{begin}PARM={manager},REGION=4M  THE QUEUE MANAGER")
        elif way == 2:
            self.lines += [f"//         SET QM={manager}", f"{begin}PARM='&QM.'"]
        elif way == 3:
            self.lines += [f"{begin}REGION=0M,", f"//             PARM=('{manager}')"]
        else:
            self.lines += [begin, "//* STILL THE SAME STATEMENT", f"//   PARM='{manager}'"]

    def remark(self) -> None:
        if self.chance.random() < 0.5:
            self.lines.append("//* DEFINE QLOCAL('NO.SUCH.QUEUE') IS A REMARK")

    def data(self, name: str, manager: str) -> list[str]:
        way = self.chance.randrange(4)
        text = self.definition(manager, "JOB.jcl" if way else "")
        if way == 0:
            member = f"MEM{self.number}"
            file = self.chance.choice([member, f"{member}.txt", f"{member.lower()}.mqsc"])
            self.members[file] = text + "\n"
            queue = text.partition("'")[2].partition("'")[0]
            self.expected.add((manager, queue, file))
            return [f"//{name:8} DD DISP=SHR,DSN=PROD.MQ.DEFS({member})"]
        if way == 1:
            return [f"//{name:8} DD *", f"{text:72}00010000", "/*"]
        if way == 2:
            return [f"//{name:8} DD DATA,DLM='@@'", "* // IS NO END", text, "@@"]
        return [f"//{name:8} DD *", text]

    def definition(self, manager: str, file: str) -> str:
        self.number += 1
        if file:
            self.expected.add((manager, f"Q{self.number}", file))
        return f"DEFINE QLOCAL('Q{self.number}') REPLACE"


@pytest.mark.parametrize("number", range(40))
def test_a_job_defines_what_it_gives_to_each_queue_manager(number, tmp_path):
    drawn = DrawnJob(number)
    (tmp_path / "JOB.jcl").write_text("\n".join([*drawn.lines, "//"]) + "\n")
    for file, text in drawn.members.items():
        (tmp_path / file).write_text(text)
    assert queues(tmp_path) == drawn.expected


def test_the_started_task_of_a_queue_manager_reads_its_input_members(tmp_path):
    (tmp_path / "CSQ4MSTR.proc").write_text(
        "//CSQ4MSTR PROC\n//PROCSTEP EXEC PGM=CSQYASCP,REGION=0M\n"
        "//CSQINP1  DD DSN=PROD.DEFS(ONE),DISP=SHR\n//CSQINP2  DD DSN=PROD.DEFS(TWO),DISP=SHR\n"
        "//         DD DSN=PROD.DEFS(MORE),DISP=SHR\n"
    )
    for name in ("ONE", "TWO", "MORE"):
        (tmp_path / name).write_text(f"DEFINE QLOCAL('{name}.Q')\n")
    assert queues(tmp_path) == {("CSQ4", f"{name}.Q", name) for name in ("ONE", "TWO", "MORE")}


@pytest.mark.parametrize(
    "given",
    [
        "//SYSIN DD DSN=PROD.CTL(CMDS),DISP=SHR\n//CSQUCMD DD *\nDEFINE QLOCAL(A)\n",
        "//SYSIN DD *\nCOMMAND\n/*\n//CSQUCMD DD DSN=PROD.ALL.DEFS,DISP=SHR\n",
        "//SYSIN DD *\nCOMMAND\n/*\n//CSQUCMD DD DSN=PROD.DEFS(GONE),DISP=SHR\n",
    ],
    ids=["control statements elsewhere", "a data set", "a member that is not there"],
)
def test_what_a_job_runs_from_elsewhere_leaves_the_queue_manager_open(given, tmp_path):
    step = "//A EXEC PGM=CSQUTIL,PARM='CSQ1'\n//SYSIN DD *\nCOMMAND\n"
    shown = f"{step}//CSQUCMD DD *\nDEFINE QL(SHOWN)\n"
    (tmp_path / "JOB.jcl").write_text(shown)
    assert not incomplete(tmp_path)
    (tmp_path / "JOB.jcl").write_text(f"{shown}//B EXEC PGM=CSQUTIL,PARM='CSQ1'\n{given}")
    assert incomplete(tmp_path)


def test_a_symbol_that_nothing_sets_names_no_queue_manager():
    step = "//A EXEC PGM=CSQUTIL,PARM='&SSID'\n//SYSIN DD *\nCOMMAND\n/*\n"
    job = f"{step}//CSQUCMD DD *\nDEFINE QLOCAL(A)\n"
    assert [text.name for text in read_job(job).texts] == [""]


def test_what_is_sent_to_a_queue_manager_that_nothing_names_is_given_to_none(tmp_path):
    step = "//A EXEC PGM=CSQUTIL,PARM='CSQ1'\n//SYSIN DD *\nCOMMAND\n"
    own = f"{step}//CSQUCMD DD *\nDEFINE QLOCAL(OWN)\n/*\n"
    sent = step.replace("COMMAND", "COMMAND TGTQMGR(&TO)") + "//CSQUCMD DD *\nDEFINE QLOCAL(SENT)\n"
    (tmp_path / "JOB.jcl").write_text(own + sent)
    assert queues(tmp_path) == {("CSQ1", "OWN", "JOB.jcl")}
    assert incomplete(tmp_path)


def test_comments_of_programs_are_no_jobs():
    assert not is_job("// runs EXEC PGM=CSQUTIL by hand\nint main() {}\n")
    assert not is_job("//JOB1 JOB\n//A EXEC PGM=IEFBR14\n")
