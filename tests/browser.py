"""A headless Chromium for tests of pages: the system's, steered by Playwright, with WebGL drawn by the processor."""

import io
import shutil
from contextlib import contextmanager

import numpy as np
import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
INSIDE = {"file", "data", "blob"}
"""schemes of addresses that need no network"""


@contextmanager
def chromium():
    """Yield a browser, which is gone afterwards; skip the test where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    path = next((path for name in NAMES if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser, path, size=(1280, 800), **context):
    """Yield a file in a window of its own; in the end it must not have complained, nor asked for anything outside."""
    window = browser.new_context(viewport={"width": size[0], "height": size[1]}, **context)
    try:
        page, complaints, requests = window.new_page(), [], []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.resolve().as_uri())
        yield page
        assert not complaints, complaints
        assert {url.partition(":")[0] for url in requests} <= INSIDE, requests
    finally:
        window.close()


def pixels_of(png):
    """Return the pixels of a PNG file: (height, width, 3), in red, green and blue."""
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(io.BytesIO(png)).convert("RGB")).astype(int)
