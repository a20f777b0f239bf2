"""Router configurations in Kubernetes resources (amq_interconnect.md 3.3)."""

from __future__ import annotations

import json
from textwrap import dedent

from topograph.findings import Source
from topograph.importers.amq_interconnect import read
from topograph.importers.amq_interconnect.manifests import MAX_ALIASES
from topograph.importers.reading import Bundle, BundleFile, Options


def reading(text: str):
    bundle = Bundle("m.yaml", "amq_interconnect", "", (BundleFile("main", "m.yaml"),))
    return read(bundle, {"m.yaml": dedent(text).encode()}, Options())


def shown(found):
    return [
        (fact.bundle, fact.server, fact.type, fact.name, str(fact.source)) for fact in found.facts
    ]


CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: east
data:
  qdrouterd.conf: |-
    # comment

    router {
        id: ${HOSTNAME}
        mode: interior
    }
    address {
        prefix: q
        bias: closest
    }
  other.txt: nothing
"""


def test_a_block_of_text_keeps_the_lines_and_columns_of_the_file_it_stands_in():
    found = reading(CONFIG_MAP)
    assert shown(found) == [
        ("m.yaml!/east/qdrouterd.conf", "${HOSTNAME}", "router", "${HOSTNAME}", "m.yaml:9:5"),
        ("m.yaml!/east/qdrouterd.conf", "${HOSTNAME}", "address", "address/0", "m.yaml:13:5"),
        ("m.yaml!/east/qdrouterd.conf", "${HOSTNAME}", "startup", "startup", "m.yaml:15:9"),
    ]
    assert [(finding.kind, str(finding.source)) for finding in found.findings] == [
        ("unknown-attribute", "m.yaml:15:9"),
        ("router-id-template", "m.yaml:10:9"),
    ]


def test_several_documents_and_lists_are_read_and_stay_apart():
    item = "\n".join("    " + line for line in CONFIG_MAP.splitlines()[1:])
    text = (
        f"{CONFIG_MAP}---\nkind: List\nitems:\n  - apiVersion: v1\n{item}\n---\nkind: "
        f"Service\nmetadata: {{name: s}}\n"
    )
    found = reading(text)
    assert [fact.bundle for fact in found.facts if fact.type == "router"] == [
        "m.yaml!/east/qdrouterd.conf",
        "m.yaml!/east/qdrouterd.conf#2",
    ]
    (report,) = found.files
    assert (report.role, report.ignored, report.status) == ("amq-manifest", 1, "partly-read")


def test_an_escaped_text_is_at_the_place_where_it_stands():
    config = json.dumps([["router", {"id": "J"}], ["listener", {"port": 5672}]])
    text = json.dumps(
        {"kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"skrouterd.json": config}}
    )
    found = reading(text)
    assert {str(fact.source) for fact in found.facts} == {
        f"m.yaml:1:{text.index(json.dumps(config)) + 1}"
    }
    assert [(fact.server, fact.type) for fact in found.facts] == [
        ("J", "router"),
        ("J", "listener"),
    ]


def test_a_configuration_in_an_environment_variable_is_found():
    text = """\
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: mesh}
        spec:
          containers:
            - env:
                - name: QDROUTERD_CONF
                  value: |
                    router {
                      id: R
                    }
        """
    assert shown(reading(text)) == [("m.yaml!/mesh", "R", "router", "R", "m.yaml:9:13")]


def test_a_usual_name_without_a_configuration_is_a_finding():
    text = "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  qdrouterd.conf: to be filled in\n"
    found = reading(text)
    assert [(finding.kind, finding.source) for finding in found.findings] == [
        ("no-configuration", Source("m.yaml", 4, 3))
    ]
    assert [(file.status, file.note) for file in found.files] == [
        ("not-read", "holds no router configuration")
    ]


INTERCONNECT = """\
apiVersion: interconnectedcloud.github.io/v1alpha1
kind: Interconnect
metadata:
  name: mesh
spec:
  deploymentPlan:
    role: interior
    size: 3
  interRouterListeners:
    - port: 55672
      expose: true
  edgeListeners: []
  addresses:
    - prefix: q
      waypoint: true
      color: red
  connectors:
    - name: broker
      host: b
      port: 5672
      routeContainer: true
  autoLinks:
    - address: q
      direction: out
      connection: broker
      externalPrefix: x
  linkRoutes:
    - prefix: lr
      direction: in
      connection: broker
      removeExternalPrefix: p.
  sslProfiles:
    - name: default
      credentials: secret
  extra: 1
"""


def test_an_interconnect_resource_is_read_as_one_router_and_says_what_that_assumes():
    found = reading(INTERCONNECT.replace("      color: red\n", ""))
    by_type = {fact.type: fact for fact in found.facts}
    assert {fact.server for fact in found.facts} == {"mesh"}
    assert (by_type["router"].get("mode"), by_type["router"].source) == (
        "interior",
        Source("m.yaml", 4, 9),
    )
    listener = by_type["listener"]
    assert (listener.get("role"), listener.get("host"), listener.get("port")) == (
        "inter-router",
        "0.0.0.0",
        "55672",
    )
    assert by_type["connector"].get("role") == "route-container"
    assert by_type["address"].get("egressPhase") == "1"
    assert by_type["linkRoute"].get("delExternalPrefix") == "p."
    assert by_type["startup"].get("starts") == "assumed"
    assert [
        (finding.kind, str(finding.severity), finding.source.line) for finding in found.findings
    ] == [
        ("unknown-attribute", "warning", 25),
        ("unknown-section", "warning", 34),
        ("resource-assumed", "warning", 4),
        ("operator-defaults", "info", 4),
    ]
    assert "no listeners" in found.findings[-1].message


def test_a_resource_that_its_operator_would_write_into_a_refused_file_is_said_not_to_start():
    found = reading(INTERCONNECT)
    startup = next(fact for fact in found.facts if fact.type == "startup")
    assert (startup.get("starts"), startup.source.line) == ("no", 16)


def test_documents_before_a_mistake_are_read():
    found = reading(CONFIG_MAP + "---\nkind: [\n")
    assert {fact.type for fact in found.facts} == {"router", "address", "startup"}
    assert (found.findings[0].kind, found.findings[0].source.line > 17) == ("invalid-yaml", True)
    assert found.files[0].status == "partly-read"


def test_aliases_of_aliases_end_in_a_finding():
    laughs = "a0: &a0 [x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, MAX_ALIASES // 9)
    )
    inner = "".join("  " + line + "\n" for line in laughs.splitlines())
    found = reading(f"kind: Deployment\nmetadata: {{name: QDROUTERD_CONF}}\nspec:\n{inner}")
    assert [finding.kind for finding in found.findings] == ["yaml-limit"]


def test_too_many_aliases_and_too_deep_nesting_are_findings():
    many = "x: &x 1\n" + "".join(f"y{n}: *x\n" for n in range(MAX_ALIASES + 1))
    deep = "[" * 100 + "]" * 100
    for text in (many, f"kind: {deep}\n"):
        assert [
            finding.kind
            for finding in reading("# QDROUTERD_CONF\nkind: ConfigMap\n---\n" + text).findings
        ] == ["yaml-limit"]


def test_a_resource_that_contains_itself_is_no_endless_work():
    found = reading("kind: Deployment\nmetadata: {name: QDROUTERD_CONF}\nspec: &s\n  again: *s\n")
    assert found.facts == ()


def test_a_file_is_looked_at_up_to_the_limit_and_what_is_behind_it_is_told(monkeypatch):
    monkeypatch.setattr("topograph.importers.amq_interconnect.manifests._STEPS", 5)
    resources = [
        CONFIG_MAP.replace("name: east", f"name: r{n}").replace("${HOSTNAME}", f"R{n}")
        for n in range(6)
    ]
    whole, cut = ("---\n".join(resources[:number]) for number in (5, 6))
    assert "yaml-limit" not in {finding.kind for finding in reading(whole).findings}
    assert [finding.message for finding in reading(cut).findings if finding.rule == ""][-1:] == [
        "This file has too much in it: only its first 5 values are looked at"
    ]
    assert {fact.server for fact in reading(cut).facts} == {f"R{n}" for n in range(5)}
