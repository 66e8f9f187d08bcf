"""The page of a clash check in a browser: table, picture, keys, themes, a phone and paper."""

import re

import numpy as np
import pytest
from clash_checks import two_blocks
from typer.testing import CliRunner

from browser import chromium, opened, pixels_of
from tumble.cli import app
from tumble.report.clash import Setting, as_html

pytestmark = pytest.mark.process

FAULTS = 1
STILL = {"reduced_motion": "reduce"}
"""no flights of the camera: what is asked for is in the next frame"""
DESKTOP, PHONE = (1000, 640), (390, 844)
DAY, NIGHT = 240, 60
"""how bright the page is at least in the light theme, and at most in the dark one, of 255"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def path(browser, tmp_path_factory):
    """The page of the sample assembly; not made where there is no browser."""
    file = tmp_path_factory.mktemp("page") / "sample.html"
    assert CliRunner().invoke(app, ["check", "--report", str(file)]).exit_code == FAULTS
    return file


@pytest.fixture(scope="module")
def desktop(browser, path):
    with opened(browser, path, DESKTOP, **STILL) as page:
        page.locator("html[data-ready=all]").wait_for()
        yield page


@pytest.fixture
def page(desktop):
    """The page as it was opened: all is shown, nothing is chosen, the light theme."""
    yield desktop
    desktop.emulate_media(color_scheme="light", media="screen")
    desktop.evaluate("delete document.documentElement.dataset.theme")
    desktop.locator("#search").fill("")
    for box in desktop.locator("[data-filter]").all():
        box.check()
    desktop.locator("th button").first.click()  # the first column has the order of the findings, worst last …
    if desktop.locator("th").first.get_attribute("aria-sort") == "descending":
        desktop.locator("th button").first.click()  # … and then worst first
    desktop.keyboard.press("Escape")
    desktop.locator("#picture:not([data-finding])").wait_for()


def rows(page):
    return page.locator("tbody tr:not([hidden])")


def each(elements, what):
    """Return a property of each element, all at once."""
    return elements.evaluate_all(f"(all) => all.map((one) => one.{what})")


def row_of(page, finding):
    return page.locator(f'tbody tr[data-finding="{finding}"]')


def details(page, finding):
    return page.locator(f'[data-detail="{finding}"]')


def camera(page):
    return page.locator("#picture").get_attribute("data-camera")


def shows(page, finding):
    """Wait until the picture shows a finding, or everything."""
    is_shown = ":not([data-finding])" if finding is None else f'[data-finding="{finding}"]'
    page.locator(f"#picture{is_shown}").wait_for()


def soon(page, condition):
    """Wait until something is so that the page does not tell; return whether it has become so."""
    for _ in range(40):
        if condition():
            return True
        page.wait_for_timeout(250)
    return False


def picture(page):
    return pixels_of(page.locator("#picture").screenshot())


def colours(pixels):
    """Return how many colours there are, and the share of the most frequent one."""
    _, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    return len(counts), counts.max() / counts.sum()


def coloured(page):
    """Return the share of the picture that is not grey: of a finding's two parts one is blue, one orange."""
    return (np.ptp(picture(page), axis=2) > 40).mean()


def test_a_click_shows_the_finding_beside_the_table(page):
    before = camera(page)
    assert coloured(page) < 0.05
    row_of(page, 0).click()
    shows(page, 0)
    assert row_of(page, 0).get_attribute("aria-selected") == "true"
    assert page.locator("[data-detail]:visible").count() == 1
    told = details(page, 0).inner_text()
    assert all(name in told for name in ("intermediate-pinion", "output-wheel", "local depth", "common volume"))
    assert camera(page) != before
    assert page.locator("#label").inner_text().startswith("local depth")
    assert coloured(page) > 0.2
    page.locator("#back").click()
    shows(page, None)
    assert camera(page) == before
    assert page.locator("[data-detail]:visible").count() == 0


def test_the_pictures_are_not_blank(page):
    number, share = colours(picture(page))
    assert number > 50
    assert share < 0.9
    small = row_of(page, 0).locator("canvas")
    assert soon(page, lambda: colours(pixels_of(small.screenshot()))[0] > 50)


def test_a_pin_in_the_picture_is_a_finding(page):
    pixels = picture(page)
    red = np.argwhere((pixels[..., 0] > 180) & (pixels[..., 1:].max(axis=2) < 100))
    assert len(red), "no pin is red"
    y, x = red[len(red) // 2]
    page.locator("#picture").click(position={"x": float(x), "y": float(y)})
    page.locator("#picture[data-finding]").wait_for()
    assert page.locator("tr[aria-selected=true]").get_attribute("data-kind") in ("crossing", "piercing")


def test_search_leaves_rows_that_have_all_words(page):
    total = rows(page).count()
    assert page.locator("#shown").inner_text() == f"{total} of {total} shown"
    page.locator("#search").fill("OUTPUT wheel")
    left = rows(page).all_inner_texts()
    assert 0 < len(left) < total
    assert all("output" in text and "wheel" in text for text in left)
    assert page.locator("#shown").inner_text() == f"{len(left)} of {total} shown"
    page.locator("#search").fill("no such part")
    assert page.locator("#shown").inner_text() == f"0 of {total} shown"


def test_a_box_hides_a_kind(page):
    kinds = each(rows(page), "dataset.kind")
    page.locator('[data-filter="touching"]').uncheck()
    left = each(rows(page), "dataset.kind")
    assert left == [kind for kind in kinds if kind != "touching"]
    assert 0 < len(left) < len(kinds)
    assert page.locator("#shown").inner_text() == f"{len(left)} of {len(kinds)} shown"


def test_headers_sort_both_ways(page):
    def values(column):
        return [float(value) for value in each(page.locator(f"tbody td:nth-child({column})"), "dataset.value") if value]

    header = page.locator("th", has_text="common volume")
    column = page.locator("th").all_inner_texts().index("common volume") + 1
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert values(column) == sorted(values(column), reverse=True)
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    assert values(column) == sorted(values(column))
    assert len(set(values(column))) > 3
    assert page.locator('th:not([aria-sort="none"])').count() == 1


def test_keys_alone_are_enough(page):
    before = camera(page)
    rows(page).first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    shows(page, 1)
    assert details(page, 1).is_visible()
    page.keyboard.press("Escape")
    shows(page, None)
    assert camera(page) == before
    assert page.evaluate("document.activeElement.dataset.finding") == "1"
    page.keyboard.press("End")
    page.keyboard.press(" ")
    shows(page, rows(page).count() - 1)
    page.locator("#picture").focus()
    chosen = camera(page)
    page.keyboard.press("ArrowLeft")
    page.locator(f'#picture:not([data-camera="{chosen}"])').wait_for()


def test_the_tab_key_enters_the_table_at_a_row_that_is_shown(page):
    page.locator("#search").fill("cover")
    page.locator("th button").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.finding") == rows(page).first.get_attribute("data-finding")


def test_the_theme_is_that_of_the_system_and_can_be_switched(page):
    width = page.viewport_size["width"]

    def brightness():
        """Of the header, and of the picture's ground."""
        pixels = pixels_of(page.screenshot())
        return [np.median(pixels[:40]), np.median(pixels[100:200, 3 * width // 4 :])]

    def is_light():
        return min(brightness()) > DAY

    def is_dark():
        return max(brightness()) < NIGHT

    assert soon(page, is_light)
    page.emulate_media(color_scheme="dark")
    assert soon(page, is_dark)
    page.locator("#theme").click()
    assert soon(page, is_light)
    page.emulate_media(color_scheme="light")
    page.locator("#theme").click()
    assert soon(page, is_dark)


def test_paper_gets_the_table_alone_in_light(page):
    page.locator("#theme").click()
    row_of(page, 1).click()
    page.emulate_media(media="print")
    assert not page.locator(".stage").is_visible()
    assert not page.locator(".tools").is_visible()
    assert rows(page).last.is_visible()
    paper = page.evaluate("[document.body, document.querySelector('tr[aria-selected=true]')].map((one) => "
                          "getComputedStyle(one).backgroundColor)")  # fmt: skip
    assert paper == ["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"]
    # all of the table, not the part that was scrolled to
    scrolled = page.locator(".scroll")
    assert scrolled.evaluate("(one) => one.scrollHeight <= one.clientHeight")


def test_a_phone_shows_the_table_without_scrolling_sideways(browser, path):
    with opened(browser, path, PHONE, has_touch=True, is_mobile=True, **STILL) as page:
        page.locator("html[data-ready=all]").wait_for()
        assert page.evaluate("scrollY") == 0
        assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [PHONE[0]] * 2
        assert max(each(page.locator("tbody td:not(:empty)"), "getBoundingClientRect().right")) <= PHONE[0]
        numbers = each(page.locator("tbody td.number:not(:empty)"), "innerText")
        assert numbers
        assert all(
            re.match(r"(local depth|depth|gap|area|common volume)\s+[\d.e+-]+( mm|$)", number) for number in numbers
        )
        row_of(page, 8).tap()
        shows(page, 8)
        box = page.locator("#picture").bounding_box()
        assert -1 <= box["y"] < PHONE[1] / 2, "the picture of what was chosen is out of sight"
        page.locator("#back").tap()
        shows(page, None)
        box = row_of(page, 8).bounding_box()
        assert -1 <= box["y"] < PHONE[1], "the row is out of sight"


def test_names_with_markup_are_text_and_the_camera_flies(browser, tmp_path):
    checked = two_blocks(name_b="a_name_that_is_long_and_has_no_place_to_break_it_at")
    (tmp_path / "page.html").write_text(as_html(checked, Setting("A <i>title</i>", "mm")), encoding="utf-8")
    with opened(browser, tmp_path / "page.html", (1280, 480)) as page:
        page.locator("html[data-ready=all]").wait_for()
        before = camera(page)
        assert page.locator("h1").inner_text() == "A <i>title</i>"
        row = page.locator("tbody tr", has_text="<b>block & co</b>").first
        finding = row.get_attribute("data-finding")
        row.click()
        shows(page, finding)
        assert "<b>block & co</b>" in details(page, finding).inner_text()
        assert page.locator("b, i").count() == 0
        assert page.locator(".scroll").evaluate("(one) => one.scrollWidth <= one.clientWidth"), "the table is cut off"
        assert camera(page) != before
