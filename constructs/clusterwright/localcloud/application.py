"""The web application of the embedded AWS: our services in front, moto's behind them."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from moto.moto_server.werkzeug_app import (
    BackendRequest,
    DomainDispatcherApplication,
    create_backend_app,
)
from werkzeug.wrappers import Response

from clusterwright.localcloud.errors import ApiError
from clusterwright.localcloud.service import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.service import Service


class Application:
    """A WSGI application that answers AWS API calls.

    A call goes to ours where ours knows the operation, else to moto. An operation that neither has is refused
    with its name: moto alone would answer with an HTML page.

    Args:
        account: The account that every caller acts in.
        services: Our services by the name in the request's signature, such as ``eks``.
    """

    def __init__(self, account: Account, services: Mapping[str, Service]) -> None:
        self._account = account
        self._services = services
        self._moto = Moto(create_backend_app)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        environ["HTTP_X_MOTO_ACCOUNT_ID"] = self._account.id
        (region, name), body = signed_scope(environ), _take_body(environ)
        if name in self._services:
            call = Call(self._services[name].model or name, BackendRequest(environ))
            answer: WSGIApplication | None = (
                self._services[name].answer(call)
                if region == self._account.region
                else call.response(_elsewhere(region, self._account.region))
            )
            if answer is not None:
                return answer(environ, start_response)
        environ["wsgi.input"] = BytesIO(body)
        try:
            forwarded: Iterable[bytes] = self._moto(environ, start_response)
        except NotImplementedError as error:
            refusal: WSGIApplication = _refusal(name, error, environ, body)
            return refusal(environ, start_response)
        return forwarded


class Moto(DomainDispatcherApplication):  # type: ignore[misc]  # moto is untyped
    """moto's dispatcher; it raises on a service that it lacks, where moto prints and fails later."""

    def get_backend_for_host(self, host: str | None) -> Any:  # noqa: ANN401  moto is untyped
        """The name of moto's backend for a host, or None without a host.

        Raises:
            NotImplementedError: moto has no such service.
        """
        is_aws = host is not None and "amazonaws.com" in host
        if is_aws and not any(pattern.match(f"http://{host}") for _, pattern in self.backend_url_patterns):
            raise NotImplementedError(host)
        return super().get_backend_for_host(host)


def signed_scope(environ: WSGIEnvironment) -> tuple[str, str]:
    """The region and the service that a request was signed for; empty where it carries no signature.

    The scope of a signature version 4 reads ``KEY/DATE/REGION/SERVICE/aws4_request``.
    """
    header = environ.get("HTTP_AUTHORIZATION", "")
    scope = header.partition("Credential=")[2].partition(",")[0].split("/")
    return (scope[2], scope[3]) if len(scope) == 5 else ("", "")  # noqa: PLR2004  the five parts, above


def _elsewhere(region: str, own: str) -> ApiError:
    return ApiError("ValidationException", f"the embedded AWS has the region {own} only, not {region}")


def _take_body(environ: WSGIEnvironment) -> bytes:
    """Read the body, which may come in chunks without a length, and leave it to be read once more."""
    stream = environ["wsgi.input"]
    if environ.get("wsgi.input_terminated"):
        body: bytes = stream.read()
    else:
        body = stream.read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = BytesIO(body)
    return body


def _refusal(name: str, error: Exception, environ: dict[str, Any], body: bytes) -> Response:
    environ["wsgi.input"] = BytesIO(body)
    try:
        call = Call(name, BackendRequest(environ))
    except Exception:  # noqa: BLE001  moto raises many kinds on a service that it does not model
        return Response(f"the embedded AWS has no service {name!r}: {error}", status=400)
    message = f"the embedded AWS has no {name}:{call.operation}"
    return call.response(ApiError("ValidationException", message))
