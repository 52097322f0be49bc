"""A small client of Chromium's DevTools protocol over its pipe: what a page asks for, what it logs, how wide it is."""

from __future__ import annotations

import fcntl
import json
import os
import select
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--remote-debugging-pipe",
)


@dataclass
class Seen:
    """What happened while a page loaded."""

    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    scroll_width: int = 0
    faces: list[str] = field(default_factory=list)
    text: str = ""


class Browser:
    """One headless Chromium; use as a context manager."""

    def __init__(self, program: str, profile: Path) -> None:
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # Chromium reads commands from descriptor 3 and writes answers to 4: copies above them keep dup2 from clashing.
        theirs = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_read, to_write)]

        def place() -> None:
            os.dup2(theirs[0], 3)
            os.dup2(theirs[1], 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}"],
            pass_fds=(3, 4, *theirs),
            preexec_fn=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for fd in (to_read, to_write, *theirs):
            os.close(fd)
        self._number = 0
        self._buffer = b""
        self._events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._send("Browser.close")
        os.close(self._write)
        self._process.wait(timeout=20)
        os.close(self._read)

    def visit(self, url: str, width: int) -> Seen:
        """Open a page in a window of the given width (CSS pixels)."""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Network", "Runtime", "Log", "Page"):
            self._call(f"{domain}.enable", session)
        metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", session, **metrics)
        self._events.clear()
        self._call("Page.navigate", session, url=url)
        self._until("Page.loadEventFired")
        loaded = (
            "document.fonts.ready.then(() => [...document.fonts].filter(f => f.status == 'loaded').map(f => f.family))"
        )
        faces = self._evaluate(session, loaded)
        seen = Seen(
            scroll_width=self._evaluate(session, "document.documentElement.scrollWidth"),
            faces=faces,
            text=self._evaluate(session, "document.body.innerText"),
        )
        for event in self._events:
            _note(event, seen)
        self._call("Target.closeTarget", targetId=target)
        return seen

    def ask(self, url: str, width: int, expression: str, *, before: str = "", dark: bool = False) -> Any:
        """The value of an expression in a page, after a script that the page's own policy would refuse."""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable", session)
        self._call("Page.setBypassCSP", session, enabled=True)
        metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", session, **metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", session, features=[scheme])
        self._events.clear()
        self._call("Page.navigate", session, url=url)
        self._until("Page.loadEventFired")
        if before:
            self._call("Runtime.evaluate", session, expression=before)
        value = self._evaluate(session, expression)
        self._call("Target.closeTarget", targetId=target)
        return value

    def _evaluate(self, session: str, expression: str) -> Any:
        answer = self._call("Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True)
        return answer["result"]["value"]

    def _send(self, method: str, session: str = "", **params: Any) -> int:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return self._number

    def _call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        number = self._send(method, session, **params)
        while True:
            message = self._receive()
            if message.get("id") == number:
                assert "error" not in message, message
                return dict(message["result"])

    def _until(self, method: str) -> None:
        while not any(e.get("method") == method for e in self._events):
            self._receive()

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + 60
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            chunk = os.read(self._read, 1 << 16)
            assert chunk, "the browser has ended"
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self._events.append(message)
        return message


def _note(event: dict[str, Any], seen: Seen) -> None:
    params = event.get("params", {})
    if event["method"] == "Network.requestWillBeSent":
        seen.requests.append(params["request"]["url"])
    if event["method"] == "Log.entryAdded":
        seen.messages.append(params["entry"]["text"])
    if event["method"] == "Runtime.consoleAPICalled" or event["method"] == "Runtime.exceptionThrown":
        seen.messages.append(json.dumps(params))
