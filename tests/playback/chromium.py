"""A headless Chromium, steered through its debugging port."""

import base64
import json
import re
import shutil
import subprocess
import time
import urllib.request
from contextlib import contextmanager

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = (
    "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist", "--no-first-run", "--remote-debugging-port=0",
)  # fmt: skip


def find():
    """Return the path of a Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def page(folder, width=480, height=360):
    """Yield an empty tab; the browser is gone afterwards, whatever happens."""
    from websockets.sync.client import connect

    command = [find(), *OPTIONS, f"--user-data-dir={folder}", f"--window-size={width},{height}", "about:blank"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        port = next(found[1] for line in process.stderr if (found := re.search(r"ws://[^:]+:(\d+)/", line)))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=60) as answer:
            address = next(tab for tab in json.load(answer) if tab["type"] == "page")["webSocketDebuggerUrl"]
        with connect(address, max_size=None, open_timeout=60) as socket:
            yield Tab(socket)
    finally:
        process.kill()
        process.communicate()


class Tab:
    """A tab; `events` is what it sent without a request."""

    def __init__(self, socket):
        self._socket, self._calls, self.events = socket, 0, []
        for domain in ("Runtime", "Log", "Page", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self._calls += 1
        self._socket.send(json.dumps({"id": self._calls, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=120))
            if message.get("id") == self._calls:
                return message.get("result", {})
            self.events.append(message)

    def open(self, path):
        self.call("Page.navigate", url=path.resolve().as_uri())

    def evaluate(self, code):
        return self.call("Runtime.evaluate", expression=code, returnByValue=True).get("result", {}).get("value")

    def wait_until(self, code, seconds=120):
        """Wait until an expression is true in the page."""
        end = time.monotonic() + seconds
        while not self.evaluate(code):
            assert time.monotonic() < end, f"{code} is still not true"
            time.sleep(0.2)

    def picture(self):
        """Return the bytes of a PNG file; the tab may need a moment before it can be photographed."""
        for _ in range(50):
            if "data" in (answer := self.call("Page.captureScreenshot", format="png")):
                return base64.b64decode(answer["data"])
            time.sleep(0.2)
        raise AssertionError("the tab cannot be photographed")

    def errors(self):
        """Return what the page complained about."""
        return [
            event
            for event in self.events
            if event["method"] == "Runtime.exceptionThrown"
            or (event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] == "error")
            or (event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error")
        ]

    def requests(self):
        """Return the addresses that the page asked for."""
        asked = [event["params"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [parameters["request"]["url"] for parameters in asked]
