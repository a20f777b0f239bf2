"""The page of a history in a real browser: a time line whose moments show their states."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn.histories import planted

from topograph.histories import following
from topograph.histories.following import history

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("history")
    made = planted(folder, 30, 9, 4, "route removed")
    return made, history(folder / "conf", draw=True)


@pytest.fixture
def page(told, browser, tmp_path: Path):
    file = tmp_path / "h.html"
    file.write_text(told[1].page)
    opened = browser.new_page()
    said: list[str] = []
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    opened.goto(file.as_uri())
    opened.wait_for_selector("html[data-drawn]", state="attached")
    yield opened
    opened.close()
    assert said == []


def places(page) -> dict[str, str]:
    """Each server that is drawn, with its place."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#picture g[transform]")]
          .filter((one) => one.firstElementChild?.tagName === "title")
          .map((one) => [one.firstElementChild.textContent.split("\\n")[0],
                         one.getAttribute("transform")]))"""
    )


def test_every_commit_is_a_moment_and_shows_its_change(told, page) -> None:
    made, answer = told
    buttons = page.locator("#moments button")
    assert buttons.count() == len(answer.commits)
    at = made.commits.index(made.first_bad)
    buttons.nth(at).click()
    assert made.first_bad[:10] in page.locator("#moment-title").inner_text()
    assert "no longer reach" in page.locator("#now").inner_text()
    assert page.url.endswith(f"#{made.first_bad}")
    assert buttons.nth(at).get_attribute("aria-current") == "true"
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith(f"#{made.commits[at - 1]}")
    page.keyboard.press("Shift+ArrowRight")
    assert page.url.endswith(f"#{made.first_bad}")


def test_servers_stay_where_they_are(told, page) -> None:
    known: dict[str, str] = {}
    buttons = page.locator("#moments button")
    sizes = set()
    for at in range(buttons.count()):
        buttons.nth(at).click()
        for name, place in places(page).items():
            assert known.setdefault(name, place) == place, name
        sizes.add(page.locator("#picture svg").get_attribute("viewBox").split()[2])
    assert len(known) > 8
    assert len(sizes) == 1


def test_a_state_that_is_not_drawn_shows_no_other_one(told, browser, tmp_path: Path) -> None:
    """The first states of a long history have no pictures."""
    _, answer = told
    states = {
        one.commit.commit: object() for one in answer.commits if one.result in ("first", "changed")
    }
    kept = list(states)[1:]
    assert kept
    folder = tmp_path / "r"
    made = planted(folder, 30, 9, 4, "route removed")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(following, "MOST_DRAWN", len(kept))
        page = following.history(folder / "conf", draw=True).page
    file = tmp_path / "h.html"
    file.write_text(page)
    opened = browser.new_page()
    opened.goto(f"{file.as_uri()}#{made.commits[0]}")
    opened.wait_for_selector("html[data-drawn]", state="attached")
    assert opened.locator("#picture svg").count() == 0
    assert opened.locator("#since").inner_text() == "This state is not drawn."
    opened.keyboard.press("Shift+ArrowRight")
    assert opened.locator("#picture svg").count() == 1
    opened.close()


def test_a_link_shows_its_commit_and_without_scripts_all_changes_are_there(
    told, browser, tmp_path: Path
) -> None:
    made, answer = told
    file = tmp_path / "h.html"
    file.write_text(answer.page)
    opened = browser.new_page()
    opened.goto(f"{file.as_uri()}#{made.first_bad}")
    opened.wait_for_selector("html[data-drawn]", state="attached")
    assert made.first_bad[:10] in opened.locator("#moment-title").inner_text()
    opened.close()
    context = browser.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(file.as_uri())
    assert still.locator("#picture svg").count() == 1
    assert still.locator(f"#commit-{made.first_bad} li").count() > 0
    context.close()
