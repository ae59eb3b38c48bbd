"""What the parts of our FSx share: the file systems, their links, and how FSx says that one is not there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from clusterwright.localcloud.errors import ApiError
from clusterwright.localcloud.service import Service, operation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account

Record = dict[str, Any]
"""Something of FSx as its Describe operation tells it."""


class FsxState(Service):
    """The file systems of the account, their volumes and data repository associations, and tags."""

    is_whole = True

    def __init__(self, account: Account) -> None:
        super().__init__(account)
        self.file_systems: dict[str, Record] = {}
        self.volumes: dict[str, Record] = {}
        self.links: dict[str, Record] = {}

    def file_system(self, identifier: str) -> Record:
        """A file system by id.

        Raises:
            ApiError: There is none.
        """
        if identifier not in self.file_systems:
            raise ApiError("FileSystemNotFound", f"File system '{identifier}' does not exist.")
        return self.file_systems[identifier]

    def link(self, identifier: str) -> Record:
        """A data repository association by id.

        Raises:
            ApiError: There is none.
        """
        if identifier not in self.links:
            raise ApiError(
                "DataRepositoryAssociationNotFound",
                f"Data repository association '{identifier}' does not exist.",
            )
        return self.links[identifier]

    @operation
    def tag_resource(self, params: Mapping[str, Any]) -> None:
        """Set tags."""
        tagged = self._tagged(params["ResourceARN"])
        keys = {tag["Key"] for tag in params["Tags"]}
        tagged["Tags"] = [tag for tag in tagged["Tags"] if tag["Key"] not in keys] + list(params["Tags"])

    @operation
    def untag_resource(self, params: Mapping[str, Any]) -> None:
        """Take tags away."""
        tagged = self._tagged(params["ResourceARN"])
        tagged["Tags"] = [tag for tag in tagged["Tags"] if tag["Key"] not in params["TagKeys"]]

    @operation
    def list_tags_for_resource(self, params: Mapping[str, Any]) -> Record:
        """The tags of a file system, a volume or an association."""
        return {"Tags": self._tagged(params["ResourceARN"])["Tags"]}

    def _tagged(self, arn: str) -> Record:
        for record in (*self.file_systems.values(), *self.volumes.values(), *self.links.values()):
            if record["ResourceARN"] == arn:
                return record
        raise ApiError("ResourceNotFound", f"{arn} does not exist.")


def now() -> datetime:
    """The time in UTC, as FSx stamps it."""
    return datetime.now(UTC)


def new_id(prefix: str) -> str:
    """An id as FSx gives one, such as ``fs-0123456789abcdef0``."""
    return f"{prefix}-0{uuid4().hex[:16]}"
