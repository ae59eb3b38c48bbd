"""How the embedded AWS says no."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from clusterwright.errors import LocalCloudError

if TYPE_CHECKING:
    from collections.abc import Iterable


class ApiError(LocalCloudError):
    """An API call that is refused.

    Attributes:
        code: The error's code in botocore's model of the service, such as ``ResourceInUseException``.
        message: Why.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class ValidationError(ApiError):
    """A request or a template that CloudFormation refuses before it touches a resource."""

    def __init__(self, message: str) -> None:
        super().__init__("ValidationError", message)


class ResourceRefusedError(LocalCloudError):
    """A resource that cannot be created, updated or deleted as asked; the message is the event's reason."""


RESOURCE_ERRORS: tuple[type[Exception], ...] = (LocalCloudError, ClientError, BotoCoreError)
"""What making a resource may raise; anything else is a bug of ours and is not hidden."""


def reason(error: Exception) -> str:
    """An error as one line for a stack event, such as ``InvalidSubnet.Range: The CIDR … is invalid.``."""
    if isinstance(error, ClientError):
        detail = error.response["Error"]
        return f"{detail['Code']}: {detail['Message']}"
    return str(error)


def refuse(problems: Iterable[str], code: str = "InvalidParameterException") -> None:
    """Raise one error that names every problem; without problems, nothing.

    Raises:
        ApiError: There are problems.
    """
    found = list(problems)
    if found:
        raise ApiError(code, " ".join(found))
