"""A publisher on loopback, which can be made to fail."""

from __future__ import annotations

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from clusterwright.mirroring.sources import Web
from clusterwright_lifecycle.contexts import ArtifactContext

if TYPE_CHECKING:
    from collections.abc import Iterator


class Publisher(Web):
    """Serves files, and stands for the web: every address is asked here.

    Attributes:
        files: Content by name.
        faults: By name, what goes wrong at each further request: a status, or ``cut`` for half the content.
        requests: What was asked for, by GET.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, list[int | str]] = {}
        self.requests: list[str] = []

    def locate(self, url: str) -> str:
        """The same file here."""
        return f"{self.address}/{url.rpartition('/')[2]}"

    def publish(self, file: str, content: bytes, *, has_checksum: bool = True) -> ArtifactContext:
        """Serve a file, and describe it."""
        self.files[file] = content
        return ArtifactContext(
            component=file.partition("-")[0],
            version="1.0",
            file=file,
            url=f"https://publisher.example/{file}",
            sha256=hashlib.sha256(content).hexdigest() if has_checksum else None,
        )


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A publisher that runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(has_body=False)

        def do_GET(self) -> None:
            served.requests.append(self.path.lstrip("/"))
            self.answer(has_body=True)

        def answer(self, *, has_body: bool) -> None:
            file = self.path.lstrip("/")
            faults = served.faults.get(file, [])
            fault = faults.pop(0) if faults and has_body else None
            status = fault if isinstance(fault, int) else 200 if file in served.files else 404
            content = served.files.get(file, b"") if status == 200 else b""
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if has_body:
                self.wfile.write(content[: len(content) // 2] if fault == "cut" else content)

        def log_message(self, *_: object) -> None:
            """Be silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Publisher(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    server.shutdown()
    server.server_close()
    thread.join()
