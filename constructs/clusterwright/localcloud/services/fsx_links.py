"""FSx: data repository associations, which show a bucket in a directory of a Lustre file system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ApiError, refuse
from clusterwright.localcloud.rules.links import bucket_of, link_problems
from clusterwright.localcloud.service import operation
from clusterwright.localcloud.services.fsx_state import FsxState, Record, new_id, now

if TYPE_CHECKING:
    from collections.abc import Mapping

BAD_REQUEST = "BadRequest"
FILTERS = {"file-system-id": "FileSystemId", "data-repository-type": "DataRepositoryType"}
GIVEN = ("FileSystemId", "FileSystemPath", "DataRepositoryPath", "BatchImportMetaDataOnCreate", "S3")
DEFAULT_CHUNK_MIB = 1024


class FsxLinks(FsxState):
    """Data repository associations."""

    @operation
    def create_data_repository_association(self, params: Mapping[str, Any]) -> Record:
        """Link a directory to a bucket."""
        file_system = self.file_system(params["FileSystemId"])
        existing = [link for link in self.links.values() if link["FileSystemId"] == params["FileSystemId"]]
        refuse(link_problems(file_system, existing, params), BAD_REQUEST)
        self._refuse_unknown_bucket(bucket_of(params["DataRepositoryPath"]))
        identifier = new_id("dra")
        link = {
            "FileSystemPath": "/",
            "BatchImportMetaDataOnCreate": False,
            "S3": {},
            **{name: params[name] for name in GIVEN if params.get(name) is not None},
            "ImportedFileChunkSize": params.get("ImportedFileChunkSize") or DEFAULT_CHUNK_MIB,
            "AssociationId": identifier,
            "ResourceARN": self.account.arn("fsx", f"association/{params['FileSystemId']}/{identifier}"),
            "Lifecycle": "AVAILABLE",
            "DataRepositoryType": "S3",
            "CreationTime": now(),
            "Tags": list(params.get("Tags") or []),
        }
        self.links[identifier] = link
        return {"Association": link}

    @operation
    def describe_data_repository_associations(self, params: Mapping[str, Any]) -> Record:
        """Links by id or filter, or all."""
        links = [self.link(identifier) for identifier in params.get("AssociationIds") or self.links]
        for item in params.get("Filters") or []:
            if item["Name"] not in FILTERS:
                refuse([f"The filter {item['Name']} is not known."], BAD_REQUEST)
            links = [link for link in links if link[FILTERS[item["Name"]]] in item["Values"]]
        return {"Associations": links}

    @operation
    def update_data_repository_association(self, params: Mapping[str, Any]) -> Record:
        """Change what a link imports and exports by itself."""
        link = self.link(params["AssociationId"])
        for name in ("ImportedFileChunkSize", "S3"):
            if params.get(name) is not None:
                link[name] = params[name]
        return {"Association": link}

    @operation
    def delete_data_repository_association(self, params: Mapping[str, Any]) -> Record:
        """Take a link away; the bucket keeps its objects."""
        link = self.link(params["AssociationId"])
        del self.links[link["AssociationId"]]
        return {"AssociationId": link["AssociationId"], "Lifecycle": "DELETING"}

    def _refuse_unknown_bucket(self, bucket: str) -> None:
        try:
            self.account.client("s3").head_bucket(Bucket=bucket)
        except ClientError as error:
            raise ApiError(BAD_REQUEST, f"The bucket {bucket} does not exist.") from error
