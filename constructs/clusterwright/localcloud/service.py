"""What our own services share: reading a call by its botocore model, and answering it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from botocore import xform_name
from moto.core.responses import ActionResult, BaseResponse
from werkzeug.wrappers import Response

from clusterwright.localcloud.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusterwright.localcloud.account import Account


OperationT = TypeVar("OperationT", bound="Callable[..., Any]")


def operation(method: OperationT) -> OperationT:
    """Mark a method as an API operation; its name is the operation's in snake case."""
    method.is_operation = True  # type: ignore[attr-defined]  # a mark on a function
    return method


class Call(BaseResponse):  # type: ignore[misc]  # moto is untyped
    """One API call: its operation and parameters, read and answered by botocore's model of the service.

    Args:
        service: botocore's name of the service, such as ``eks``.
        request: The HTTP request.
    """

    def __init__(self, service: str, request: Any) -> None:  # noqa: ANN401  moto's request is untyped
        super().__init__(service_name=service)
        self.automated_parameter_parsing = True
        self.setup_class(request)
        self.operation: str = self._get_action() or ""

    def response(self, result: Mapping[str, Any] | ApiError | None) -> Response:
        """The HTTP response that carries a result, or an error with its code."""
        status, headers, body = self.serialized(ActionResult(result))
        headers.pop("status", None)
        return Response(body, status=int(status), headers=dict(headers))


class Service:
    """A service of the embedded AWS; subclasses hold its state and its operations.

    Attributes:
        is_whole: Whether every operation is answered here, so that none falls through to moto.
        model: botocore's name of the service, where requests are signed for another one.
    """

    is_whole = False
    model: ClassVar[str | None] = None

    def __init__(self, account: Account) -> None:
        self.account = account

    def answer(self, call: Call) -> Response | None:
        """Answer a call, or return None where it is moto's to answer."""
        method: Any = getattr(self, xform_name(call.operation), None) if call.operation else None
        if not getattr(method, "is_operation", False):
            if not self.is_whole:
                return None
            message = f"the embedded AWS has no {call.service_name}:{call.operation}"
            return call.response(ApiError("ValidationException", message))
        try:
            return call.response(method(call.params))
        except ApiError as error:
            return call.response(error)
