"""Small templates of Lambda functions, for tests of the embedded AWS."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

from small_templates import att, resource, role

if TYPE_CHECKING:
    from clusterwright.localcloud import LocalCloud

CODE = {"S3Bucket": "code", "S3Key": "code.zip"}


def put_code(cloud: LocalCloud) -> None:
    """Put an archive into S3, as the CDK CLI does with assets."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("index.py", "def handler(event, context): ...")
    s3 = cloud.client("s3")
    s3.create_bucket(Bucket="code", CreateBucketConfiguration={"LocationConstraint": cloud.account.region})
    s3.put_object(Bucket="code", Key="code.zip", Body=archive.getvalue())


def function(**properties: Any) -> dict[str, Any]:
    """A function that code in S3 makes, and its role."""
    return {
        "Role": role("lambda"),
        "Function": resource(
            "Lambda::Function",
            **{
                "Code": CODE,
                "Handler": "index.handler",
                "Runtime": "python3.13",
                "Role": att("Role", "Arn"),
                **properties,
            },
        ),
    }
