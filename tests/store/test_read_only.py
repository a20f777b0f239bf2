"""Statements that people type read this database and nothing else, however they are spelled."""

from __future__ import annotations

import pytest

from topograph.errors import UsageError
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.store.database import Database
from topograph.store.read_only import procedure_of, refusal


def plan(kind: str, details: str = "", *children: object) -> dict[str, object]:
    return {
        "operatorType": f"{kind}@neo4j",
        "args": {"Details": details},
        "children": list(children),
    }


def test_an_operator_anywhere_in_the_plan_decides() -> None:
    assert refusal(plan("ProduceResults", "", plan("NodeByLabelScan"))) == ""
    assert "reads files and URLs" in refusal(
        plan("ProduceResults", "", plan("Apply", "", plan("X"), plan("LoadCSV")))
    )
    assert refusal(plan("ProcedureCall", "db.labels() :: (label :: STRING)")) == ""
    assert "calls dbms.listConfig" in refusal(
        plan("ProcedureCall", "dbms.listConfig($autostring_0) :: (name :: STRING)")
    )
    assert "calls a procedure" in refusal(plan("ProcedureCall"))


def test_a_procedure_is_read_without_backticks() -> None:
    assert procedure_of("`dbms`.`listConfig`() :: ()") == "dbms.listConfig"
    assert procedure_of("") == ""


URL = "FROM 'http://127.0.0.1:1/x' AS line RETURN line"


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "statement",
    [
        f"LOAD CSV {URL}",
        f"LO\\u0041D CSV {URL}",
        f"LOAD/**/CSV {URL}",
        f"// a comment\nLOAD CSV {URL}",
        f"CYPHER runtime=slotted LOAD CSV {URL}",
        f"PROFILE LOAD CSV {URL}",
        f"PROFILE/**/LO\\u0041D CSV {URL}",
        f"UNWIND [1] AS x CALL (x) {{ LOAD CSV {URL} }} RETURN line",
        "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
        "T\\u0045RMINATE TRANSACTIONS 'neo4j-transaction-1'",
        "CALL dbms.listConfig()",
        "CALL `dbms`.`listConfig`() YIELD name RETURN name",
        "CALL db.labels() YIELD label CALL dbms.listConfig() YIELD name RETURN *",
        "CALL () { CALL dbms.listConfig() YIELD name RETURN name } RETURN name",
        "CALL dbms.killConnections(['bolt-1'])",
        "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'bcdefghi'",
        "SHOW SETTINGS",
    ],
)
def test_what_reaches_beyond_the_data_is_refused(database: Database, statement: str) -> None:
    with pytest.raises(UsageError, match="is not run: "):
        database.query(statement, {})


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (n) RETURN n LIMIT 1;",
        "CYPHER runtime=slotted RETURN 'LOAD CSV' AS text",
        "CALL db.labels()",
        "CALL `db`.`labels`() YIELD label RETURN label",
        "SHOW INDEXES",
        "EXPLAIN MATCH (n) RETURN n",
        "PROFILE MATCH (n) RETURN n LIMIT 1",
        "// who\n /* is\n there */ profile RETURN 1 AS one",
    ],
)
def test_what_reads_is_run(database: Database, statement: str) -> None:
    database.query(statement, {})


@pytest.mark.neo4j
def test_a_transaction_ends_with_its_budget(database: Database) -> None:
    budget = Budget.of_seconds(0.5)
    with pytest.raises(BudgetSpent):
        database.reading(
            lambda transaction: transaction.run(
                "UNWIND range(1, 100000000000) AS n RETURN sum(n % 7)"
            ).consume(),
            budget,
        )
    assert budget.spent
    with pytest.raises(BudgetSpent):
        database.reading(lambda transaction: transaction.run("RETURN 1").consume(), budget)
