"""The vendored files are what their packages hold, and may stand in a page."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

VENDOR = Path(__file__).resolve().parents[2] / "viz" / "vendor"
FILES = json.loads((VENDOR / "vendor.json").read_text())["files"]


ROOT = VENDOR.parents[1]
LOCK = json.loads((ROOT / "requirements/javascript/package-lock.json").read_text())["packages"]


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_a_vendored_file_is_byte_for_byte_the_one_that_was_bundled(entry):
    content = (VENDOR / entry["file"]).read_bytes()

    assert hashlib.sha256(content).hexdigest() == entry["sha256"]
    assert content.startswith((VENDOR / "banner.txt").read_bytes())


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_a_bundle_is_made_of_the_packages_that_are_pinned(entry):
    for one in entry["bundled"]:
        pinned = LOCK[f"node_modules/{one['package']}"]
        assert (one["version"], one["integrity"]) == (pinned["version"], pinned["integrity"])


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_a_vendored_file_may_stand_in_a_script_element(entry):
    text = (VENDOR / entry["file"]).read_text(encoding="utf-8").lower()

    assert [ending for ending in ("</script", "<!--", "<script", "\r") if ending in text] == []


def test_licences_and_origin_stand_beside_the_files():
    readme = (VENDOR / "README.md").read_text()

    assert "Almende" in (VENDOR / "LICENSE-MIT").read_text()
    assert "Apache License" in (VENDOR / "LICENSE-APACHE-2.0").read_text()
    named = [f"{one['package']} {one['version']}" for entry in FILES for one in entry["bundled"]]
    texts = [" ".join(text.split()) for text in (readme, (VENDOR / "banner.txt").read_text())]
    assert [one for one in named for text in texts if one not in text.replace("* ", "")] == []
    assert {path.name for path in VENDOR.glob("*.js")} == {entry["file"] for entry in FILES}


def test_what_the_bundle_contains_of_others_is_named_with_its_licence():
    text = (VENDOR / "THIRD-PARTY-LICENSES.txt").read_text()

    for package in (
        "@egjs/hammerjs",
        "component-emitter",
        "keycharm",
        "uuid",
        "vis-util",
    ):
        assert f"\n{package} " in text
    assert text.count("Permission is hereby granted, free of charge") >= 6


def test_the_vendored_scripts_leave_room_for_the_data():
    assert sum((VENDOR / entry["file"]).stat().st_size for entry in FILES) <= 350_000
