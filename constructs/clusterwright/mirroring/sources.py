"""Where artifacts come from: their publishers, over HTTPS."""

from __future__ import annotations

import http.client
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE_SECONDS = 60
CHUNK_BYTES = 1 << 20
FIRST_SERVER_ERROR = 500
TOO_MANY_REQUESTS = 429


class SourceError(Exception):
    """A file cannot be fetched.

    Attributes:
        is_final: Whether another attempt is pointless.
    """

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        self.is_final = is_final
        super().__init__(message)


@dataclass(frozen=True)
class Answer:
    """A file that is on its way.

    Attributes:
        size: Its size in bytes, or None where the server does not say.
        chunks: Its content.
    """

    size: int | None
    chunks: Iterator[bytes]


class Source(Protocol):
    """What files are fetched from."""

    def size_of(self, url: str) -> int | None:
        """The size of a file in bytes, or None where nobody says."""

    def fetch(self, url: str) -> Iterator[bytes]:
        """The content of a file.

        Raises:
            SourceError: It cannot be fetched, or ends too early.
        """


class Web:
    """The publishers themselves; proxies are those of the environment."""

    def size_of(self, url: str) -> int | None:
        """The size of a file in bytes, or None where the server does not say."""
        try:
            with self._open(url, "HEAD") as answer:
                return answer.size
        except SourceError:
            return None

    def fetch(self, url: str) -> Iterator[bytes]:
        """The content of a file.

        Raises:
            SourceError: It cannot be fetched, or ends too early.
        """
        received = 0
        with self._open(url, "GET") as answer:
            for chunk in answer.chunks:
                received += len(chunk)
                yield chunk
            if answer.size is not None and received != answer.size:
                raise SourceError(f"the connection ended after {received} of {answer.size} bytes")

    def locate(self, url: str) -> str:
        """The address that is asked; tests have another one."""
        return url

    @contextmanager
    def _open(self, url: str, method: str) -> Iterator[Answer]:
        request = Request(self.locate(url), method=method, headers={"User-Agent": "clusterwright"})  # noqa: S310  contexts take https alone
        try:
            with urlopen(request, timeout=PATIENCE_SECONDS) as response:  # noqa: S310  see above
                size = response.headers.get("Content-Length")
                chunks = iter(lambda: response.read(CHUNK_BYTES), b"")
                yield Answer(int(size) if size else None, chunks)
        except HTTPError as error:
            is_passing = error.code >= FIRST_SERVER_ERROR or error.code == TOO_MANY_REQUESTS
            raise SourceError(f"{error.code} {error.reason}", is_final=not is_passing) from None
        except (OSError, http.client.HTTPException) as error:
            raise SourceError(str(getattr(error, "reason", error)) or type(error).__name__) from None
